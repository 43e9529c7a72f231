# ./dev format and ./dev lint.

# Tracked C++ sources, and new ones that git does not ignore.
cpp_sources() {
  git ls-files --cached --others --exclude-standard -- '*.cpp' '*.h' | existing
}

# C++ sources that differ from the main branch.
changed_sources() {
  local base
  base=$(git merge-base HEAD origin/main 2>/dev/null || git rev-list --max-parents=0 HEAD | tail -n 1)
  { git diff --name-only "$base" -- '*.cpp'; git ls-files --others --exclude-standard -- '*.cpp'; } | sort -u | existing
}

existing() {
  while IFS= read -r file; do [ ! -f "$file" ] || printf '%s\n' "$file"; done
}

require_git() {
  git rev-parse --is-inside-work-tree >/dev/null 2>&1 || fail 6 "expects a git work tree, and git to ask for its files"
}

format() {
  require_git
  cpp_sources | xargs -r clang-format-22 -i
  say "formatted $(cpp_sources | wc -l) files"
}

lint_arguments() {
  case "$*" in
    '' | --all) ;;
    *) fail 2 "./dev lint takes --all or nothing, found '$*'" ;;
  esac
}

# lint [--all]: runs clang-tidy on changed files, or on all files.
lint() {
  require_git
  local failed=0
  lint_step "format of C++ (./dev format mends it)" lint_format || failed=1
  lint_step "comments" "$venv/bin/python3" tools/dev/check_comments.py "$root" || failed=1
  lint_step "layering" "$venv/bin/python3" tools/dev/check_layering.py "$root" || failed=1
  lint_step "tracked files" "$venv/bin/python3" tools/dev/check_files.py "$root" || failed=1
  lint_step "every rule has a test" "$venv/bin/python3" tools/dev/check_labels.py "$root" || failed=1
  lint_step "Python compiles" lint_python || failed=1
  lint_step "shell scripts" shellcheck --external-sources dev .ci/run || failed=1
  if [ "${1:-}" = --all ]; then
    lint_step "clang-tidy of all files" lint_tidy_all || failed=1
  else
    lint_step "clang-tidy of changed files" lint_tidy || failed=1
  fi
  [ "$failed" -eq 0 ] || fail 1 "lint found something; see above"
}

# lint_step <what> <command>: runs a command and prints one line with its result.
lint_step() {
  local what=$1
  shift
  if "$@" >&2; then
    say "well: $what"
  else
    say "FOUND: $what"
    return 1
  fi
}

lint_format() {
  cpp_sources | xargs -r clang-format-22 --dry-run --Werror
}

lint_python() {
  git ls-files --cached --others --exclude-standard -- '*.py' | existing | tr '\n' '\0' |
    "$venv/bin/python3" -c 'import sys
for path in sys.stdin.read().split("\0")[:-1]:
    compile(open(path, encoding="utf-8").read(), path, "exec")'
}

lint_tidy() {
  changed_sources | tidy
}

lint_tidy_all() {
  cpp_sources | grep '\.cpp$' | tidy
}

tidy() {
  xargs -r -P "${OPC_JOBS:-$(nproc)}" -n 4 nice clang-tidy-22 --quiet --warnings-as-errors='*' -p build
}
