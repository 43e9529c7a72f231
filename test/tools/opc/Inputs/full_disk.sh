#!/usr/bin/env bash
# full_disk.sh OPC OLD NEW PLACE: installs, replaces and removes on a file system of its own that is full, then read-only.
# Ends well when the old package is whole after each refusal; says so when this process may mount nothing.
set -euo pipefail
opc=$1 old=$2 new=$3 place=$4

# refused CODE COMMAND...: ends with an error that has this text; the old package stays whole.
refused() {
  local text=$1
  shift
  if "$@" >"$TMPDIR/said" 2>&1; then
    echo "taken: $*"
    exit 1
  fi
  if ! grep -qF -- "$text" "$TMPDIR/said" || [ "$(wc -l <"$TMPDIR/said")" -gt 3 ]; then
    echo "not said: $text"
    cat "$TMPDIR/said"
    exit 1
  fi
  "$opc" pkg verify "$place/vendors/mine" 2>/dev/null
  grep -qx load_priority=mine "$place/vendors/config.ini"
  left=$(find "$place/vendors" -maxdepth 1 -name '.opc-stage*')
  [ -z "$left" ] || { echo "left: $left"; exit 1; }
}

inside() {
  mount -t tmpfs -o size=900k opc "$place"
  "$opc" pkg install "$old" --install-path="$place" 2>/dev/null
  head -c 10000000 /dev/zero >"$place/fill" 2>/dev/null || true
  refused OPC-E0601 "$opc" pkg install "$new" --install-path="$place"
  refused OPC-E0601 "$opc" pkg remove mine --install-path="$place"
  refused "error: cannot write in" bash -c "$new/custom_opp_linux_*.run --quiet --install-path=$place"
  rm "$place/fill"
  mount -o remount,ro "$place"
  refused OPC-E0601 "$opc" pkg install "$new" --install-path="$place"
  refused OPC-E0601 "$opc" pkg remove mine --install-path="$place"
  refused "error: cannot write in" bash -c "$new/custom_opp_linux_*.run --quiet --install-path=$place"
  echo "the old package stays whole"
}

if [ "${5:-}" = inside ]; then
  inside
  exit
fi
mkdir -p "$place"
for how in --mount "--mount --map-root-user"; do
  # shellcheck disable=SC2086
  if unshare $how mount -t tmpfs opc "$place" 2>/dev/null; then
    exec unshare $how "$0" "$opc" "$old" "$new" "$place" inside
  fi
done
echo "not tried: this process may mount nothing"
