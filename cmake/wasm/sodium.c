// What libsodium's SHA-256 asks of the rest of it, which is not compiled.

#include <stdlib.h>
#include <string.h>

void sodium_memzero(void* memory, size_t size) { memset(memory, 0, size); }

void sodium_misuse(void) { abort(); }
