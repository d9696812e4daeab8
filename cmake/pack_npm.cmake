# Fills FOLDER with the package for npm and packs it beside. SOURCE: the tree; BUILD: where the programs lie; PREFIX: of the libraries.
file(COPY "${SOURCE}/app/npm/index.js" "${SOURCE}/app/npm/index.d.ts" "${SOURCE}/app/npm/README.md" "${SOURCE}/LICENSE" "${SOURCE}/CHANGELOG.md"
  DESTINATION "${FOLDER}")
file(COPY "${SOURCE}/app/npm/gvbind.js" DESTINATION "${FOLDER}/bin"
  FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
file(COPY "${SOURCE}/app/npm/worker.js" DESTINATION "${FOLDER}/lib")
file(COPY "${PREFIX}/licenses" DESTINATION "${FOLDER}")
file(COPY "${BUILD}/gvbind.wasm" DESTINATION "${FOLDER}/lib")
configure_file("${BUILD}/gvbind.js" "${FOLDER}/lib/command.cjs" COPYONLY)
configure_file("${BUILD}/gvbind_module.js" "${FOLDER}/lib/module.js" COPYONLY)
execute_process(COMMAND "${CMAKE_COMMAND}" -E compare_files "${BUILD}/gvbind.wasm" "${BUILD}/gvbind_module.wasm" RESULT_VARIABLE differs)
if(differs)
  message(FATAL_ERROR "gvbind.wasm and gvbind_module.wasm differ")
endif()
file(GLOB before "${FOLDER}/../gvbind-*.tgz")
if(before)
  file(REMOVE ${before})
endif()
execute_process(COMMAND "${NPM}" pack --silent --pack-destination .. WORKING_DIRECTORY "${FOLDER}" COMMAND_ERROR_IS_FATAL ANY)
