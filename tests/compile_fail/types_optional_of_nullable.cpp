// expect: quark: a std::optional of a type whose wire form is an optional has two kinds of NULL
// within: 1
#include <quark/quark.hpp>
#include <quark/sqlite.hpp>

struct Note {
  std::string text;
};
template <>
struct quark::type_of<Note> {
  using wire = std::optional<std::string>;
  static wire to_wire(const Note& note) { return note.text.empty() ? std::nullopt : wire(note.text); }
  static Note from_wire(const wire& text) { return {text.value_or("")}; }
};

struct Page {
  std::int64_t id{};
#ifdef QUARK_MISTAKE
  std::optional<Note> note;
#else
  Note note;
#endif
};

void run(quark::sqlite::Connection& db) { quark::For<Page>(db).list(); }

int main() {}
