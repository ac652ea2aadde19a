# pliant_layer(<name> <dependencies> …): one object library per folder of src/. Sources are found by
# name: *_test.cc and *_bench.cc are left out, *_avx2.cc and *_avx512.cc get the flags of their level.

set(PLIANT_LAYERS "" CACHE INTERNAL "")

set(PLIANT_WARNING_FLAGS -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wold-style-cast)
if(PLIANT_WARNINGS_AS_ERRORS)
  list(APPEND PLIANT_WARNING_FLAGS -Werror)
endif()

# Every tier computes the same bits, so the compiler may not fuse a * b + c on its own.
set(PLIANT_COMPILE_FLAGS ${PLIANT_WARNING_FLAGS} -ffp-contract=off -fno-math-errno)

# Kernels are always optimised: an unoptimised copy of an inline function would outlive its file.
set(PLIANT_AVX2_FLAGS -O3 -mavx2 -mfma -mf16c -mbmi -mbmi2 -mlzcnt)
set(PLIANT_AVX512_FLAGS ${PLIANT_AVX2_FLAGS} -mavx512f -mavx512bw -mavx512cd -mavx512dq -mavx512vl
    -mprefer-vector-width=512)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 takes its own intrinsics' "undefined" values for mistakes.
  list(APPEND PLIANT_AVX512_FLAGS -Wno-uninitialized -Wno-maybe-uninitialized)
endif()

function(pliant_compile_options target)
  target_compile_options(${target} PRIVATE ${PLIANT_COMPILE_FLAGS})
  if(PLIANT_ENABLE_DCHECK)
    target_compile_definitions(${target} PRIVATE PLIANT_ENABLE_DCHECK)
  endif()
endfunction()

# What most sources include takes longer to read than they take to compile: the first layer
# precompiles it for all. Files with flags of their own cannot share it.
function(pliant_precompile_headers target)
  if(PLIANT_LAYERS STREQUAL "")
    target_precompile_headers(${target} PRIVATE
      <algorithm> <array> <cstdint> <functional> <memory> <optional> <span> <string> <string_view>
      <unordered_map> <utility> <vector> <fmt/format.h>)
  else()
    target_precompile_headers(${target} REUSE_FROM pliant_base)
  endif()
  foreach(source IN LISTS ARGN)
    if(source MATCHES "_(avx2|avx512|portable)\\.cc$")
      set_source_files_properties(${source} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
    endif()
  endforeach()
endfunction()

# Layers of many small sources, whose headers take longer to read than their code to compile: six
# sources are compiled as one. Names in unnamed namespaces have to differ among these.
set(PLIANT_JOINED_LAYERS onnx semantics session shapes)

function(pliant_layer name)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/${name}/*.cc")
  list(FILTER sources EXCLUDE REGEX "_(test|bench)\\.cc$")
  set(target pliant_${name})
  if(NOT sources)
    message(FATAL_ERROR "src/${name} has no sources")
  endif()
  add_library(${target} OBJECT ${sources})
  target_include_directories(${target} PUBLIC "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/include")
  target_link_libraries(${target} PUBLIC fmt::fmt Threads::Threads)
  foreach(dependency IN LISTS ARGN)
    target_link_libraries(${target} PUBLIC pliant_${dependency})
  endforeach()
  pliant_compile_options(${target})
  foreach(source IN LISTS sources)
    if(source MATCHES "_avx2\\.cc$")
      set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS "${PLIANT_AVX2_FLAGS}")
    elseif(source MATCHES "_avx512\\.cc$")
      set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS "${PLIANT_AVX512_FLAGS}")
    elseif(source MATCHES "_portable\\.cc$")
      set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS "-O3")
    endif()
  endforeach()
  pliant_precompile_headers(${target} ${sources})
  if(PLIANT_JOIN_SOURCES AND name IN_LIST PLIANT_JOINED_LAYERS)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 6)
  endif()
  if(EXISTS "${PROJECT_SOURCE_DIR}/src/${name}/layer.cmake")
    include("${PROJECT_SOURCE_DIR}/src/${name}/layer.cmake")  # what this folder alone needs
  endif()
  set(PLIANT_LAYERS ${PLIANT_LAYERS} ${name} CACHE INTERNAL "")
endfunction()
