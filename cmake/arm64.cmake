# Cross-builds for ARM64 Linux with Debian's compiler and its libraries of that architecture; programs run under qemu-user.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
# pkg-config would look among the libraries of this machine first.
set(ENV{PKG_CONFIG_LIBDIR} "/usr/lib/aarch64-linux-gnu/pkgconfig:/usr/share/pkgconfig")
find_program(GVBIND_QEMU qemu-aarch64)
if(GVBIND_QEMU)
  set(CMAKE_CROSSCOMPILING_EMULATOR "${GVBIND_QEMU}")
endif()
