# The package for npm, by `--target package`: the command on the files of a machine (lib/command.cjs), the same on files in memory
# (lib/module.js), and what calls them.
find_program(GVBIND_NPM npm REQUIRED)
# Whole, so that no function of mathematics comes from emscripten: see glibc_math/.
set(npm_linked -O3 -msimd128 -sALLOW_MEMORY_GROWTH=1 -sMAXIMUM_MEMORY=4GB -sINITIAL_MEMORY=64MB -sTOTAL_STACK=8MB
  -sSUPPORT_LONGJMP=wasm -sABORTING_MALLOC=0 -sEXIT_RUNTIME=1 -sMODULARIZE=1 -sEXPORT_NAME=gvbind -sFORCE_FILESYSTEM=1
  -sEXPORTED_RUNTIME_METHODS=callMain,FS -sINCOMING_MODULE_JS_API=wasmBinary,instantiateWasm,noInitialRun,thisProgram,stdin,stdout,stderr,quit,isTerminal
  "${GVBIND_WASM_PREFIX}/lib/libgvbind_math.a")
target_link_options(gvbind PRIVATE ${npm_linked} -sNODERAWFS=1 -sENVIRONMENT=node)
add_executable(gvbind_module "${PROJECT_SOURCE_DIR}/app/main.cpp")
target_link_libraries(gvbind_module PRIVATE gvbind_app gvbind_flags)
target_link_options(gvbind_module PRIVATE ${npm_linked} -sENVIRONMENT=web,worker -sEXPORT_ES6=1 -sUSE_ES6_IMPORT_META=0)

# Both programs are the same WebAssembly, which is optimized once. emcc finds wasm-opt by PATH.
set(npm_optimizer "${PROJECT_BINARY_DIR}/optimizer")
file(MAKE_DIRECTORY "${npm_optimizer}/bin")
file(CREATE_LINK "${PROJECT_SOURCE_DIR}/cmake/wasm/wasm_opt.py" "${npm_optimizer}/bin/wasm-opt" SYMBOLIC)
set_property(TARGET gvbind gvbind_module PROPERTY
  RULE_LAUNCH_LINK "\"${CMAKE_COMMAND}\" -E env --modify \"PATH=path_list_prepend:${npm_optimizer}/bin\"")

set(npm_folder "${PROJECT_BINARY_DIR}/npm")
configure_file("${PROJECT_SOURCE_DIR}/app/npm/package.json.in" "${npm_folder}/package.json" @ONLY)
# The package holds it once; pack_npm.cmake makes sure.
add_custom_target(package
  COMMAND "${CMAKE_COMMAND}" "-DSOURCE=${PROJECT_SOURCE_DIR}" "-DBUILD=${CMAKE_CURRENT_BINARY_DIR}" "-DFOLDER=${npm_folder}"
          "-DPREFIX=${GVBIND_WASM_PREFIX}" "-DNPM=${GVBIND_NPM}" -P "${PROJECT_SOURCE_DIR}/cmake/pack_npm.cmake"
  VERBATIM)
add_dependencies(package gvbind gvbind_module)
