# libpliant: all layers in one library behind include/pliant.

add_library(pliant)
add_library(pliant::pliant ALIAS pliant)
foreach(layer IN LISTS PLIANT_LAYERS)
  target_sources(pliant PRIVATE $<TARGET_OBJECTS:pliant_${layer}>)
endforeach()
target_include_directories(pliant PUBLIC
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_libraries(pliant PRIVATE fmt::fmt Threads::Threads protobuf::libprotobuf-lite)
set_target_properties(pliant PROPERTIES LINKER_LANGUAGE CXX VERSION ${PROJECT_VERSION} SOVERSION 0)
