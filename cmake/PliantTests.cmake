# Unit tests: all *_test.cc of a layer become one GoogleTest program, run case by case by ctest.

find_package(GTest REQUIRED)
include(GoogleTest)

# What tests of several layers share.
file(GLOB support_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/support/*.cc")
add_library(pliant_test_support STATIC ${support_sources})
pliant_compile_options(pliant_test_support)
target_include_directories(pliant_test_support PUBLIC "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/tests")
target_link_libraries(pliant_test_support PUBLIC pliant fmt::fmt)

# GoogleTest's headers take longer to compile than most tests: the first test program precompiles
# them for all. Tests are compiled with little optimisation, since they run for moments.
set_property(GLOBAL PROPERTY PLIANT_FIRST_TEST "")
function(pliant_googletest target)
  # For tests that read documents of the tree. All have it, and fmt, since what defines macros has to
  # be the same for all that share precompiled headers.
  target_compile_definitions(${target} PRIVATE PLIANT_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  pliant_compile_options(${target})
  target_compile_options(${target} PRIVATE -O1)
  target_link_libraries(${target} PRIVATE fmt::fmt GTest::gmock GTest::gtest_main Threads::Threads)
  get_property(first GLOBAL PROPERTY PLIANT_FIRST_TEST)
  if(first)
    target_precompile_headers(${target} REUSE_FROM ${first})
  else()
    set_property(GLOBAL PROPERTY PLIANT_FIRST_TEST ${target})
    target_precompile_headers(${target} PRIVATE <gmock/gmock.h> <gtest/gtest.h>)
  endif()
endfunction()

foreach(layer IN LISTS PLIANT_LAYERS)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/${layer}/*_test.cc")
  if(sources)
    add_executable(pliant_${layer}_test ${sources})
    target_link_libraries(pliant_${layer}_test PRIVATE pliant_test_support)
    pliant_googletest(pliant_${layer}_test)
    gtest_discover_tests(pliant_${layer}_test TEST_PREFIX "${layer}." DISCOVERY_TIMEOUT 60)
  endif()
endforeach()
