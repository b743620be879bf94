#!/usr/bin/env python3
"""Writes the C++ files whose compilation measure.py times: so many models, so many query shapes.

The same arguments give the same file. By hand:  generate.py --models 1 --queries 5
"""
import argparse
import random

STD = ["cstdint", "optional", "span", "string", "string_view", "tuple", "vector"]

# Name and type of column i are COLUMNS[i % 8]; the first is the key.
COLUMNS = [("id", "std::int64_t"), ("name", "std::string"), ("email", "std::optional<std::string>"),
           ("age", "int"), ("active", "bool"), ("score", "double"), ("city", "std::string"),
           ("visits", "std::int64_t")]
LITERALS = {"std::int64_t": "{}", "int": "{}", "double": "{}.5"}


def includes(names):
    return "".join(f"#include <{name}>\n" for name in names)


def columns_of(width):
    out = []
    for i in range(width):
        name, type_ = COLUMNS[i % len(COLUMNS)]
        if i >= len(COLUMNS) and name == "id":
            name = "other"
        out.append((name + (str(i // len(COLUMNS)) if i >= len(COLUMNS) else ""), type_))
    return out


def model(number, width):
    members = "".join(f"  {type_} {name}{{}};\n" for name, type_ in columns_of(width))
    return f"struct Model{number} {{\n{members}}};\n"


def basic_use(number):
    """create, find and list of one model."""
    return f"""void create(Db& db, Model{number}& x) {{ quark::For<Model{number}>(db).create(x); }}
std::optional<Model{number}> find{number}(Db& db, std::int64_t id) {{ return quark::For<Model{number}>(db).find(id); }}
std::vector<Model{number}> list{number}(Db& db) {{ return quark::For<Model{number}>(db).list(); }}
"""


def comparison(rng):
    name, type_ = COLUMNS[rng.randrange(len(COLUMNS))]
    field = f"field<&Model0::{name}>"
    if type_ == "bool":
        return f"{field} == flag"
    if "string" in type_:
        return f"{field} {rng.choice(['==', '!='])} text"
    return f"{field} {rng.choice(['==', '!=', '<', '<=', '>', '>='])} {LITERALS[type_].format(rng.randrange(1000))}"


def condition(rng, terms):
    out = comparison(rng)
    for _ in range(terms - 1):
        out = f"({out}) {rng.choice(['&&', '||'])} {comparison(rng)}"
    return out


def query(rng, number):
    """One query of 3 to 13 terms: 1 to 5 comparisons, their && and ||, up to 2 order keys, a limit."""
    # The first queries cover the range evenly, so that few of them cost what many do on average.
    comparisons = 1 + number * 2 % 5
    orders = number % 3
    chain = f".where({condition(rng, comparisons)})"
    for _ in range(orders):
        name, type_ = COLUMNS[rng.randrange(len(COLUMNS))]
        chain += f".order_by({rng.choice(['asc', 'desc'])}<&Model0::{name}>)"
    if orders:
        chain += f".limit({number + 1})"
    return (f"std::vector<Model0> query{number}(Db& db, std::string_view text, bool flag) {{\n"
            f"  (void)text, (void)flag;\n  return quark::For<Model0>(db){chain}.list();\n}}\n")


def source(headers="quark", models=0, width=8, queries=0):
    """headers: none, std, fwd or quark. The first model has 8 columns, further ones `width`."""
    if headers == "none":
        return "int nothing;\n"
    if headers == "fwd":
        return "#include <quark/fwd.hpp>\nint nothing;\n"
    out = includes(STD)
    if headers == "std":
        return out + "int nothing;\n"
    out += includes(["quark/quark.hpp", "quark/sqlite.hpp"])
    out += "using Db = quark::sqlite::Connection;\nusing quark::asc, quark::desc, quark::field;\n"
    for i in range(models):
        out += model(i, 8 if i == 0 else width) + basic_use(i)
    rng = random.Random(1)
    for i in range(queries):
        out += query(rng, i)
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--headers", choices=["none", "std", "fwd", "quark"], default="quark")
    parser.add_argument("--models", type=int, default=1)
    parser.add_argument("--width", type=int, default=8, help="columns of all models but the first")
    parser.add_argument("--queries", type=int, default=0)
    args = parser.parse_args()
    print(source(args.headers, args.models, args.width, queries=args.queries), end="")


if __name__ == "__main__":
    main()
