#pragma once

/// The whole public interface of the library.
#include "gvbind/bind_skin.h"
#include "gvbind/finding_codes.h"
#include "gvbind/network.h"
#include "gvbind/version.h"
#include "gvbind/weight_field.h"
