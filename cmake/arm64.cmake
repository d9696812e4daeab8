# Cross-builds for any Linux of ARM64 with glibc 2.28 or newer; programs run under qemu-user.
set(GVBIND_MACHINE aarch64)
include("${CMAKE_CURRENT_LIST_DIR}/linux.cmake")
