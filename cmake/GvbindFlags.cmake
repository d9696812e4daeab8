# Compiler settings of every target of ours: link gvbind_flags privately.
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release)
endif()

find_program(GVBIND_CCACHE ccache)
if(GVBIND_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_C_COMPILER_LAUNCHER "${GVBIND_CCACHE}")
  set(CMAKE_CXX_COMPILER_LAUNCHER "${GVBIND_CCACHE}")
endif()

add_library(gvbind_flags INTERFACE)
target_compile_features(gvbind_flags INTERFACE cxx_std_20)
# No contraction: a fused multiply-add would make weights depend on the machine that compiled us.
target_compile_options(gvbind_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -ffp-contract=off
  $<$<BOOL:${GVBIND_WERROR}>:-Werror>)
# Eigen splits long sums by the sizes of the caches. They are fixed, so that machines with others add in the same order.
target_compile_definitions(gvbind_flags INTERFACE
  EIGEN_NO_CPUID EIGEN_DEFAULT_L1_CACHE_SIZE=32768 EIGEN_DEFAULT_L2_CACHE_SIZE=262144 EIGEN_DEFAULT_L3_CACHE_SIZE=2097152)
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "aarch64")
  # Makes Eigen round as on x86-64.
  target_include_directories(gvbind_flags SYSTEM INTERFACE "${PROJECT_SOURCE_DIR}/cmake/arm64/include")
endif()
if(WIN32)
  # Functions of mathematics on floats are those that are linked, not those on doubles that the header has in their place.
  target_compile_definitions(gvbind_flags INTERFACE __CRT__NO_INLINE)
endif()
if(GVBIND_WASM)
  # Sizes of 32 bits. Eigen adds in the order of its code for SSE, which emscripten's headers bring to WebAssembly's vectors.
  target_compile_options(gvbind_flags INTERFACE -Wno-conversion -Wno-shorten-64-to-32 -Wno-tautological-constant-out-of-range-compare)
  target_compile_definitions(gvbind_flags INTERFACE __SSE__ __SSE2__ __SSE3__ __SSSE3__ __SSE4_1__ __SSE4_2__)
  target_include_directories(gvbind_flags SYSTEM INTERFACE "${PROJECT_SOURCE_DIR}/cmake/wasm/include" "${CMAKE_SYSROOT}/include/compat")
endif()
# The Python module links all libraries. What could be replaced at run time would not be inlined without the flag; with it
# the command is as fast as it is without position-independent code. Precompiled headers serve libraries and programs,
# whose code is independent in two ways.
if(NOT GVBIND_PRECOMPILE AND NOT GVBIND_WASM)
  set(CMAKE_POSITION_INDEPENDENT_CODE ON)
  target_compile_options(gvbind_flags INTERFACE -fno-semantic-interposition)
endif()
if(CMAKE_UNITY_BUILD)
  # GCC takes a source that another one includes for a header, whose classes should hold nothing anonymous.
  target_compile_options(gvbind_flags INTERFACE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage>)
endif()
if(GVBIND_SANITIZE)
  # No macro of a compiler's says it for all of them.
  target_compile_definitions(gvbind_flags INTERFACE GVBIND_SANITIZED)
  target_compile_options(gvbind_flags INTERFACE
    -fsanitize=${GVBIND_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  if(GVBIND_SANITIZE_LESS)
    target_compile_options(gvbind_flags INTERFACE
      $<$<NOT:$<BOOL:$<TARGET_PROPERTY:GVBIND_READS_DOCUMENTS>>>:-fno-sanitize=${GVBIND_SANITIZE_LESS}>)
  endif()
  target_link_options(gvbind_flags INTERFACE -fsanitize=${GVBIND_SANITIZE})
endif()

# Parsing Eigen, the JSON library and Catch2 takes a third of a build. Sources still include what they use. Not by
# default: ccache does not keep what reads precompiled headers, and GCC 12 then warns of what is not there.
option(GVBIND_PRECOMPILE "Precompile large headers of others" OFF)
function(gvbind_precompile target)
  if(GVBIND_PRECOMPILE)
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
endfunction()
