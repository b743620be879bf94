// Stands in for the version of a Boost that reads names, where the installed one does not: the
// field tests are built once more with this folder first on the include path.
#pragma once
#define BOOST_VERSION 108400
#define BOOST_LIB_VERSION "1_84"
