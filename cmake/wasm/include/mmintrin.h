#pragma once

// Eigen asks for it before the headers that it needs; emscripten has none for MMX.
