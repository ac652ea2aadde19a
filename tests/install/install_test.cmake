# Run by ctest; see CMakeLists.txt for the variables.
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    list(JOIN ARGV " " command)
    message(FATAL_ERROR "${command}\nfailed with ${status}:\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

function(expect_run_of program)
  run("${program}")
  if(NOT output MATCHES "2 6 12")
    message(FATAL_ERROR "${program} printed: ${output}")
  endif()
endfunction()

set(prefix "${WORK_FOLDER}/prefix")
file(REMOVE_RECURSE "${WORK_FOLDER}")
run("${CMAKE_COMMAND}" --install "${BUILD_FOLDER}" --prefix "${prefix}")

# An installation may be moved after it was made.
file(RENAME "${prefix}" "${prefix}-moved")
set(prefix "${prefix}-moved")

run("${CMAKE_COMMAND}" -S "${CONSUMER}" -B "${WORK_FOLDER}/consumer" -G Ninja
  "-DCMAKE_PREFIX_PATH=${prefix}" "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DCMAKE_CXX_FLAGS=${FLAGS}")
run("${CMAKE_COMMAND}" --build "${WORK_FOLDER}/consumer")
expect_run_of("${WORK_FOLDER}/consumer/consumer")

set(ENV{PKG_CONFIG_PATH} "${prefix}/${LIBDIR}/pkgconfig")
run(pkg-config --cflags --libs pliant)
separate_arguments(package_flags UNIX_COMMAND "${output}")
separate_arguments(flags UNIX_COMMAND "${FLAGS}")
run("${COMPILER}" -std=c++20 ${flags} "${CONSUMER}/consumer.cc" -o "${WORK_FOLDER}/by_pkg_config" ${package_flags})
set(ENV{LD_LIBRARY_PATH} "${prefix}/${LIBDIR}")
expect_run_of("${WORK_FOLDER}/by_pkg_config")
