# Runs GENERATOR into SCRATCH and compares with EXPECTED.
file(REMOVE_RECURSE "${SCRATCH}")
execute_process(COMMAND "${GENERATOR}" "${SCRATCH}" COMMAND_ERROR_IS_FATAL ANY)
foreach(page isa.md errors.md)
  execute_process(COMMAND ${CMAKE_COMMAND} -E compare_files "${SCRATCH}/${page}" "${EXPECTED}/${page}"
                  RESULT_VARIABLE differs)
  if(differs)
    message(FATAL_ERROR "docs/generated/${page} is stale; ./dev docs writes it")
  endif()
endforeach()
