// The mistake of a pipeline that only shows at run time.
#include <quark/exec/error.hpp>
#include <quark/query/pipeline.hpp>

#include <string>

namespace quark::detail {

void throw_key_unknown(std::string_view table) {
  throw_misuse("a pipeline can't update or remove a row of " + std::string(table) +
               " whose key is still to be made: call flush() after its create()");
}

}  // namespace quark::detail
