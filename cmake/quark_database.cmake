# The target quark-database (quark::database): quark::Database, whose engine is chosen at run time. It needs every engine
# of this build, and tells its headers by definitions which they are.

function(quark_database)
  get_property(engines GLOBAL PROPERTY QUARK_ENGINES)
  list(REMOVE_ITEM engines ${QUARK_BRIDGES})
  set(definitions)
  set(cflags)
  set(requires)
  foreach(engine IN LISTS engines)
    string(TOUPPER ${engine} macro)
    list(APPEND definitions QUARK_DATABASE_${macro}=1)
    string(APPEND cflags " -DQUARK_DATABASE_${macro}=1")
    string(APPEND requires " quark-${engine}")
  endforeach()

  file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/engine/database/*.cpp")
  file(GLOB headers CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/include/quark/database.hpp"
       "${PROJECT_SOURCE_DIR}/include/quark/engine/database/*.hpp")
  string(STRIP "${cflags}" cflags)
  string(STRIP "${requires}" requires)
  quark_library(quark-database EXPORT_NAME database
    DESCRIPTION "Quark ORM: the database whose engine is chosen at run time"
    SOURCES ${sources} HEADERS ${headers} REQUIRES "${requires}" CFLAGS "${cflags}")
  target_compile_definitions(quark-database PUBLIC ${definitions})
  list(TRANSFORM engines PREPEND quark:: OUTPUT_VARIABLE libraries)
  target_link_libraries(quark-database PUBLIC ${libraries})

  if(QUARK_INSTALL)
    configure_file("${PROJECT_SOURCE_DIR}/cmake/quark-database-component.cmake.in"
                   "${PROJECT_BINARY_DIR}/quark-database-component.cmake" @ONLY)
    install(FILES "${PROJECT_BINARY_DIR}/quark-database-component.cmake"
      DESTINATION "${QUARK_INSTALL_CMAKEDIR}" COMPONENT quark-database)
  endif()
endfunction()
