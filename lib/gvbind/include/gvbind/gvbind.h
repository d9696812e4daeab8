#pragma once

/// All of the library's interface.
#include "gvbind/bind_skin.h"
#include "gvbind/weight_field.h"
