// A user's program without an engine: the SQL of its queries, as text. Exit code 0 when it is right.
#include <quark/quark.hpp>

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

struct City {
  std::int64_t id{};
  std::string name{};
};

int main() {
  constexpr std::string_view text =
      quark::sql_text<quark::Engine::postgres, quark::Ask::count>(
          quark::For<City>(quark::no_database).where(quark::field<&City::id> >= 18));
  std::printf("%.*s\n", static_cast<int>(text.size()), text.data());
  return text == R"(SELECT COUNT(*) FROM "cities" WHERE "cities"."id" >= $1)" ? 0 : 1;
}
