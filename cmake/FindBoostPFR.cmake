# Finds the headers of Boost.PFR, which is all that Quark takes from Boost, and checks that they
# are new enough. Used by our build and, installed beside the package config, by consumers.
#
# Why not find_package(Boost): no compiled Boost is needed, FindBoost is deprecated since CMake
# 3.30, and a Boost that is only a folder of headers has no package config.
#
# Makes the target BoostPFR::BoostPFR; honours BoostPFR_ROOT, Boost_ROOT and CMAKE_PREFIX_PATH.

find_path(BoostPFR_INCLUDE_DIR boost/pfr/core.hpp
  HINTS ${Boost_INCLUDE_DIR} ${Boost_ROOT} ${BOOST_ROOT} ENV Boost_ROOT ENV BOOST_ROOT
  PATH_SUFFIXES include
  DOC "Folder that holds boost/pfr/core.hpp")
mark_as_advanced(BoostPFR_INCLUDE_DIR)

if(EXISTS "${BoostPFR_INCLUDE_DIR}/boost/version.hpp")
  file(STRINGS "${BoostPFR_INCLUDE_DIR}/boost/version.hpp" _boost_version
       REGEX "^#define BOOST_LIB_VERSION ")
  string(REGEX REPLACE ".*\"([0-9]+)_([0-9]+)(_([0-9]+))?\".*" "\\1.\\2" BoostPFR_VERSION
         "${_boost_version}")
  unset(_boost_version)
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(BoostPFR
  REQUIRED_VARS BoostPFR_INCLUDE_DIR
  VERSION_VAR BoostPFR_VERSION
  REASON_FAILURE_MESSAGE
    "\nThe headers of Boost 1.81 or newer (boost/pfr/core.hpp) are needed, no compiled Boost. \
Debian 12: apt install libboost1.81-dev. Ubuntu 24.04: apt install libboost-dev. \
Elsewhere: point Boost_ROOT at them. \
A build of Quark with -DQUARK_REFLECTION=native needs no Boost.")

if(BoostPFR_FOUND AND NOT TARGET BoostPFR::BoostPFR)
  add_library(BoostPFR::BoostPFR INTERFACE IMPORTED)
  target_include_directories(BoostPFR::BoostPFR INTERFACE "${BoostPFR_INCLUDE_DIR}")
endif()
