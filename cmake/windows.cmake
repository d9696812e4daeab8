# Cross-builds for 64-bit Windows with mingw-w64, whose programs run under wine. The libraries come from
# windows_dependencies.py.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
# The compiler whose threads are those of winpthreads.
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc-posix)
set(CMAKE_CXX_COMPILER x86_64-w64-mingw32-g++-posix)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)
if(NOT GVBIND_WINDOWS_PREFIX)
  get_filename_component(GVBIND_WINDOWS_PREFIX "${CMAKE_CURRENT_LIST_DIR}/../build/windows-libraries" ABSOLUTE)
endif()
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES GVBIND_WINDOWS_PREFIX)
set(CMAKE_FIND_ROOT_PATH "${GVBIND_WINDOWS_PREFIX}")
set(CMAKE_PREFIX_PATH "${GVBIND_WINDOWS_PREFIX}")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
# pkg-config would look among the libraries of this machine first.
set(ENV{PKG_CONFIG_LIBDIR} "${GVBIND_WINDOWS_PREFIX}/lib/pkgconfig")
set(CMAKE_EXE_LINKER_FLAGS_INIT "-static")
# Files beyond 2 GiB. GCC aligns the stack of Windows to 16 bytes where AVX needs 32, so the assembler takes moves that do
# not ask for it.
set(flags "-D_FILE_OFFSET_BITS=64 -Wa,-mbig-obj,-muse-unaligned-vector-move")
set(CMAKE_C_FLAGS_INIT "${flags}")
set(CMAKE_CXX_FLAGS_INIT "${flags}")
find_program(GVBIND_WINE NAMES wine64 wine PATHS /usr/lib/wine)
if(GVBIND_WINE)
  set(CMAKE_CROSSCOMPILING_EMULATOR "${GVBIND_WINE}")
endif()
