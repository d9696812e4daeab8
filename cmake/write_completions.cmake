# Writes what `GVBIND completion` prints where shells look below SHARE, and SHARE/written when all is there. EMULATOR, if
# any, runs GVBIND.
foreach(file bash:bash-completion/completions/gvbind fish:fish/vendor_completions.d/gvbind.fish
             zsh:zsh/vendor-completions/_gvbind)
  string(REPLACE ":" ";" parts "${file}")
  list(POP_FRONT parts shell path)
  get_filename_component(folder "${SHARE}/${path}" DIRECTORY)
  file(MAKE_DIRECTORY "${folder}")
  execute_process(COMMAND ${EMULATOR} "${GVBIND}" completion ${shell} OUTPUT_FILE "${SHARE}/${path}" RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "gvbind completion ${shell}: ${result}")
  endif()
endforeach()
file(WRITE "${SHARE}/written" "")
