#include "assets/selection.h"
