#!/usr/bin/env python3
"""The reference pages: Doxygen makes them without a warning, and every name of namespace quark that the README
or the guide uses in code has an entry with a text. Run by ctest as docs.reference.

    check_reference.py <doxygen> <Doxyfile> <repository> <folder for the output>
"""
import re
import subprocess
import sys
import xml.etree.ElementTree as xml
from pathlib import Path

doxygen, doxyfile, repository, output = sys.argv[1], *map(Path, sys.argv[2:])
output.mkdir(parents=True, exist_ok=True)
# The pages themselves are not made: the warnings and the entries are the same.
settings = doxyfile.read_text() + f'\nOUTPUT_DIRECTORY = "{output}"\nGENERATE_HTML = NO\nGENERATE_XML = YES\n'
run = subprocess.run([doxygen, "-"], input=settings, capture_output=True, text=True)
# Links between pages have a test of their own, which knows the headings as GitHub does.
warnings = [line for line in run.stderr.splitlines()
            if ("warning:" in line or "error:" in line) and not (".md:" in line and "resolve reference" in line)]
for line in warnings:
    print(line.replace(f"{repository}/", ""))
failures = len(warnings) + (run.returncode != 0)


def documented(element):
    return any("".join(text.itertext()).strip()
               for kind in ("briefdescription", "detaileddescription") for text in element.findall(kind))


# quark::For -> is there a text? A name with several entries (overloads) needs one.
entries = {}
for file in (output / "xml").glob("*quark*.xml"):
    for compound in xml.parse(file).getroot().iter("compounddef"):
        name = re.sub(r"<.*", "", compound.findtext("compoundname", "")).strip()
        if compound.get("kind") != "namespace":
            entries[name] = entries.get(name, False) or documented(compound)
        for member in compound.iter("memberdef"):
            full = f"{name}::{member.findtext('name')}"
            entries[full] = entries.get(full, False) or documented(member)
            for value in member.iter("enumvalue"):  # an enumerator stands below its enumeration
                entries[f"{full}::{value.findtext('name')}"] = True

used = {}
for page in [repository / "README.md", *sorted((repository / "docs").glob("**/*.md"))]:
    for block in re.findall(r"^```cpp\n(.*?)^```", page.read_text(), re.S | re.M):
        # Neither other namespaces' names, nor ones that the page itself defines.
        for name in re.findall(r"(?<![\w:])quark(?:::[a-zA-Z_]\w*)+", block):
            used.setdefault(name, page.relative_to(repository))

for name, page in sorted(used.items()):
    if name not in entries:
        if not any(entry.startswith(name + "::") for entry in entries):  # a namespace
            print(f"{name}, used in {page}: no entry")
            failures += 1
    elif not entries[name]:
        print(f"{name}, used in {page}: an entry without a text")
        failures += 1

print(f"{len(used)} names, {len(warnings)} warnings, {failures} failures")
sys.exit(1 if failures or not used else 0)
