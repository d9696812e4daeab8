#include "preview/skinning.h"
