# The reader of the ONNX format is generated from onnx.proto.
set(generated "${PROJECT_BINARY_DIR}/generated")
add_custom_command(
  OUTPUT "${generated}/onnx/onnx.pb.cc" "${generated}/onnx/onnx.pb.h"
  COMMAND ${CMAKE_COMMAND} -E make_directory "${generated}"
  COMMAND protobuf::protoc "--cpp_out=${generated}" "-I${PROJECT_SOURCE_DIR}/src" onnx/onnx.proto
  WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}/src"
  DEPENDS "${PROJECT_SOURCE_DIR}/src/onnx/onnx.proto"
  COMMENT "Generating onnx/onnx.pb.h"
  VERBATIM)
target_sources(${target} PRIVATE "${generated}/onnx/onnx.pb.cc" "${generated}/onnx/onnx.pb.h")
set_source_files_properties("${generated}/onnx/onnx.pb.cc" PROPERTIES COMPILE_OPTIONS "-w")
target_include_directories(${target} SYSTEM PUBLIC "${generated}")
target_link_libraries(${target} PUBLIC protobuf::libprotobuf-lite)
