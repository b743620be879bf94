# The target docs: reference pages of the public headers, made by Doxygen, in <build>/docs/html.

find_package(Doxygen QUIET)
if(DOXYGEN_FOUND)
  configure_file("${PROJECT_SOURCE_DIR}/docs/Doxyfile.in" "${PROJECT_BINARY_DIR}/docs/Doxyfile"
                 @ONLY)
  add_custom_target(docs
    COMMAND Doxygen::doxygen "${PROJECT_BINARY_DIR}/docs/Doxyfile"
    COMMENT "Reference pages: ${PROJECT_BINARY_DIR}/docs/html/index.html"
    VERBATIM)
else()
  message(STATUS "quark: no target docs, Doxygen was not found (apt install doxygen)")
endif()
