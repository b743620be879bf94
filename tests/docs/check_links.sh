#!/usr/bin/env bash
# Links between pages lead somewhere (file and heading), and docs/map.md names every folder.
# Run by ctest as docs.links.
#
#   check_links.sh <repository>
set -euo pipefail
cd "$1"
failures=0
fail() { echo "$*"; failures=$((failures + 1)); }

# What belongs to the repository: scratch files and builds in it need no line in the map.
files() {
  if [ -e .git ] && git ls-files 2>/dev/null; then
    return
  fi
  find . -path ./.git -prune -o -path './build*' -prune -o -name __pycache__ -prune -o -type f -print |
    sed 's|^\./||'
}

# GitHub's anchor of each heading of a page.
anchors() {
  sed -n 's/^#\{1,6\} \(.*\)$/\1/p' "$1" | tr 'A-Z' 'a-z' |
    sed -e 's/[`*().,:;!?"&/<>+=|]//g' -e "s/'//g" -e 's/ /-/g'
}

while IFS= read -r page; do
  # Links in code blocks are code.
  links=$(awk '/^```/ { code = !code; next } !code' "$page" |
          grep -oE '\]\([^)#][^) ]*\)|\]\(#[^)]*\)|(src|srcset)="[^"]*"' |
          sed -e 's/^](//' -e 's/)$//' -e 's/^[a-z]*="//' -e 's/"$//' || true)
  while IFS= read -r link; do
    case "$link" in '' | http://* | https://* | mailto:*) continue ;; esac
    file=${link%%#*}
    target=$page
    [ -z "$file" ] || target=$(dirname "$page")/$file
    if [ ! -e "$target" ]; then
      fail "$page: the link $link leads nowhere"
    elif [[ $link == *#* && $target == *.md ]] && ! anchors "$target" | grep -qxF -- "${link#*#}"; then
      fail "$page: there is no heading ${link#*#} in $target"
    fi
  done <<<"$links"
done < <(printf '%s\n' README.md CHANGELOG.md; find docs -name '*.md' | sort)

# Every folder that holds files has its line in the map, down to the fourth level.
while IFS= read -r folder; do
  grep -qF "\`$folder/\`" docs/map.md || fail "docs/map.md: no line for $folder/"
done < <(files | sed -n 's|/[^/]*$||p' | sort -u | sed -e '/^\./d' -e '\|/.*/.*/.*/|d')

[ "$failures" = 0 ] || { echo "$failures failures"; exit 1; }
echo "links and map are true"
