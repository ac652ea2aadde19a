target_compile_definitions(${target} PRIVATE PLIANT_VERSION="${PROJECT_VERSION}")
