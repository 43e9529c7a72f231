# Progress messages of the scripts: one line for each step on stderr, with the time since the start; stdout is for
# results.

say() {
  printf '[%3ds] %s\n' "$SECONDS" "$*" >&2
}

# fail <exit code> <text>
fail() {
  printf 'dev: error: %s\n' "$2" >&2
  exit "$1"
}

# human <bytes>
human() {
  awk -v b="$1" 'BEGIN { if (b >= 1e6) printf "%.1f MB", b / 1e6; else printf "%.0f kB", b / 1e3 }'
}
