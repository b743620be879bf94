// What a struct is made of: the number, types, names and places of its members, and how to build
// one. The one door to reflection: the other layers come here, and nobody else knows how it is
// done. The build picks the backend with QUARK_REFLECTION_PFR=1 or QUARK_REFLECTION_NATIVE=1 (the
// default).
#pragma once

#include <quark/model/fields_access.hpp>
#include <quark/model/fields_construct.hpp>
#include <quark/model/fields_names.hpp>
#include <quark/model/fields_shape.hpp>
