# Unit tests: all *_test.cc of a layer become one GoogleTest program, run case by case by ctest.

find_package(GTest REQUIRED)
include(GoogleTest)

foreach(layer IN LISTS PLIANT_LAYERS)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/${layer}/*_test.cc")
  if(sources)
    add_executable(pliant_${layer}_test ${sources})
    pliant_compile_options(pliant_${layer}_test)
    target_include_directories(pliant_${layer}_test PRIVATE "${PROJECT_SOURCE_DIR}/src")
    target_link_libraries(pliant_${layer}_test PRIVATE pliant fmt::fmt GTest::gmock GTest::gtest_main)
    gtest_discover_tests(pliant_${layer}_test TEST_PREFIX "${layer}." DISCOVERY_TIMEOUT 60)
  endif()
endforeach()
