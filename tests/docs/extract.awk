# Makes one C++ program of all ```cpp blocks of a Markdown page, so that the compiler and the tests
# read what people read. Used by tests/docs/CMakeLists.txt:
#
#   awk -v page=docs/queries.md -f extract.awk docs/queries.md >queries.cpp
#
# A block that begins like a declaration (struct, template, using, #include, ...) goes to namespace
# scope; a block with `int main(` is a program and is called; all others are, in their order, the
# body of one function in which `db` is an open in-memory database. In a block,
#
#   expression;  // -> value              is checked (as text, see support.hpp); the comment may
#                                         also stand below, with further lines indented
#   statement;   // throws quark::Misuse  must throw that; `: text` after it must be in what()
#   statement;   // does not compile: text   is left out here, and compiled by check_mistakes.sh,
#                                         which looks for the text in the compiler's output
#
# Directives are HTML comments, so that readers don't see them:
#
#   <!-- cpp ... -->                      more code (a fixture), on lines of its own
#   <!-- cpp: scope -->                   the next block gets braces of its own
#   <!-- cpp: global -->, <!-- cpp: local -->   overrule where the next block goes
#   <!-- does not compile: text -->       the next block as a whole

function quote(text) {
  gsub(/\\/, "\\\\", text)
  gsub(/"/, "\\\"", text)
  return "\"" text "\""
}

function here(number) { return quote(page) ", " number }

# Text after the marker `mark` in `line`, or "" ; the rest of the line is left in `code`.
function cut(line, mark,    at) {
  at = index(line, mark)
  if (at == 0) return ""
  code = substr(line, 1, at - 1)
  sub(/[ \t]+$/, "", code)
  return substr(line, at + length(mark))
}

function emit(text) { body = body text "\n" }

# Lines first..last of the block as one checked statement.
function checked(first, last, kind, what,    i, text, type, message, name) {
  text = ""
  for (i = first; i <= last; ++i) text = text (i > first ? "\n" : "") stripped[i]
  if (kind == "compile") {
    ++mistakes
    list = list "// mistake " mistakes ": " what "\n"
    emit("#if QUARK_DOCS_MISTAKE == " mistakes "\n#line " (start + first) " " quote(page) "\n" text "\n#endif")
  } else if (kind == "throws") {
    type = what
    message = ""
    if (match(what, /: /)) {
      type = substr(what, 1, RSTART - 1)
      message = substr(what, RSTART + 2)
    }
    emit("quark_docs::expect_throw<" type ">(" here(start + last) ", " quote(message) ", [&] {")
    emit("#line " (start + first) " " quote(page) "\n" text "\n});")
  } else if (match(text, /^[ \t]*(const )?(auto|std::[A-Za-z0-9_:<>]+|[A-Z][A-Za-z0-9_]*)&? [a-z_]+ = /)) {
    name = substr(text, RSTART, RLENGTH - 3)
    sub(/.*[ \t]/, "", name)
    emit(text)
    emit("quark_docs::expect(" here(start + last) ", " quote(what) ", " name ");")
  } else {
    sub(/;[ \t]*$/, "", text)
    emit("quark_docs::expect(" here(start + last) ", " quote(what) ", (\n#line " (start + first) " " quote(page) "\n" text "\n));")
  }
  emit("#line " (start + last + 1) " " quote(page))
}

function finish_block(    i, k, first, kind, what, top, place, next_line, is_program, is_mistake) {
  place = ""
  is_program = 0
  for (i = 1; i <= count; ++i) {
    if (lines[i] ~ /^int main\(/) is_program = 1
    if (place == "" && lines[i] !~ /^[ \t]*$/ && lines[i] !~ /^[ \t]*\/\//)
      place = lines[i] ~ /^(#|struct |class |enum |template|namespace |using |constexpr |consteval |static_assert|inline )/ ? "global" : "local"
  }
  if (wanted == "global" || wanted == "local") place = wanted
  if (is_program) place = "global"
  is_mistake = refused != ""
  body = ""
  if (is_mistake) {
    ++mistakes
    list = list "// mistake " mistakes ": " refused "\n"
    emit("#if QUARK_DOCS_MISTAKE == " mistakes)
  }
  if (place == "local") emit("quark_docs::at(" here(start) ");")
  if (wanted == "scope") emit("{")
  emit("#line " (start + 1) " " quote(page))

  first = 1
  for (i = 1; i <= count; ++i) {
    kind = what = ""
    code = lines[i]
    if ((what = cut(lines[i], "// -> ")) != "") kind = "value"
    else if ((what = cut(lines[i], "// throws ")) != "") kind = "throws"
    else if ((what = cut(lines[i], "// does not compile: ")) != "") kind = "compile"
    stripped[i] = code
    if (kind == "" || code ~ /^[ \t]*$/) {
      # Does the check stand below this statement's end?
      kind = ""
      if (code ~ /;[ \t]*$/ && i < count && lines[i + 1] ~ /^[ \t]*\/\/ -> /) {
        cut(lines[i + 1], "// -> ")
        what = substr(lines[i + 1], index(lines[i + 1], "// -> ") + 6)
        next_line = i + 2
        while (next_line <= count && lines[next_line] ~ /^[ \t]*\/\/    /) {
          k = lines[next_line]
          sub(/^[ \t]*\/\/ +/, " ", k)
          what = what k
          ++next_line
        }
        stripped[i] = lines[i]
        checked(first, i, "value", what)
        i = next_line - 1
        first = next_line
        emit("#line " (start + next_line) " " quote(page))
        continue
      }
      if (code ~ /[;{}][ \t]*(\/\/.*)?$/ || code ~ /^[ \t]*(\/\/.*)?$/ || code ~ /^#/) {
        for (k = first; k <= i; ++k) emit(lines[k])
        first = i + 1
      }
      continue
    }
    checked(first, i, kind, what)
    first = i + 1
  }
  for (k = first; k <= count; ++k) emit(lines[k])

  if (wanted == "scope") emit("}")
  if (is_mistake) emit("#endif")
  if (is_program) {
    ++programs
    sub(/int main\([^)]*\)/, "int program_" programs "()", body)
    local_code = local_code "quark_docs::at(" here(start) ");\nquark_docs::expect(" here(start) ", \"0\", program_" programs "());\n"
  }
  if (place == "global") global_code = global_code body
  else if (place == "local") local_code = local_code body
  wanted = refused = ""
  blocks += hidden ? 0 : 1
}

/^```cpp[ \t]*$/ && !inside { inside = 1; hidden = 0; count = 0; start = NR; next }
/^<!-- cpp[ \t]*$/ && !inside { inside = 1; hidden = 1; count = 0; start = NR; next }
inside && ((!hidden && /^```[ \t]*$/) || (hidden && /^-->[ \t]*$/)) { inside = 0; finish_block(); next }
inside { lines[++count] = $0; next }
/^<!-- cpp: [a-z]+ -->$/ { wanted = $3; next }
/^<!-- does not compile: .* -->$/ {
  refused = $0
  sub(/^<!-- does not compile: /, "", refused)
  sub(/ -->$/, "", refused)
  next
}

END {
  if (inside) { print page ": a block is not closed" > "/dev/stderr"; exit 1 }
  print "// Made from " page " by tests/docs/extract.awk: " blocks + 0 " blocks."
  printf "%s", list
  print "#include <quark/quark.hpp>\n#include <quark/sqlite.hpp>\n\n#include \"docs/support.hpp\"\n"
  printf "%s", global_code
  print "\n#line 1 \"" page ", the surrounding function\""
  print "static void run_page() {"
  if (local_code !~ /(^|\n)auto db = /)
    print "auto db = quark::sqlite::open(\":memory:\");\n(void)db;"
  printf "%s", local_code
  print "}\n\nint main() { return quark_docs::run(&run_page); }"
}
