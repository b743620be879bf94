// The portable API: models, types, expressions, queries. Include it with one engine: quark/sqlite.hpp.
#pragma once

#include <quark/exec/retry.hpp>
#include <quark/fwd.hpp>
#include <quark/query/copy.hpp>
#include <quark/query/pipeline.hpp>
#include <quark/query/text.hpp>
#include <quark/schema/create.hpp>
#include <quark/types/json.hpp>
#include <quark/types/uuid.hpp>
#include <quark/version.hpp>
