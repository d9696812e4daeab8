# What CMake asks of a system that it does not know.
set(UNIX 1)
set(GVBIND_WASM 1)
set(CMAKE_EXECUTABLE_SUFFIX .js)
set_property(GLOBAL PROPERTY TARGET_SUPPORTS_SHARED_LIBS FALSE)
if(NOT CMAKE_CXX_LINK_EXECUTABLE)
  # Debian's emcc looks for its modules where its own Node does.
  set(CMAKE_CXX_LINK_EXECUTABLE "<CMAKE_COMMAND> -E env NODE_PATH=/usr/share/nodejs EMCC_FORCE_STDLIBS=libunwind")
  string(APPEND CMAKE_CXX_LINK_EXECUTABLE " emcc -fwasm-exceptions -sDEFAULT_TO_CXX=0 <LINK_FLAGS> <OBJECTS> -o <TARGET>")
  string(APPEND CMAKE_CXX_LINK_EXECUTABLE " <LINK_LIBRARIES> ${GVBIND_WASM_PREFIX}/lib/libstdc++.a -lc++abi-except")
endif()
