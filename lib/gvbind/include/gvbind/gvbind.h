#pragma once

/// The whole public interface of the library.
#include "gvbind/bind_skin.h"
#include "gvbind/weight_field.h"
