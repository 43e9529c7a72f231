#!/usr/bin/env bash
# Puts the package beside this script where the vendor's framework looks. Run by the self-extracting archive:
#
#   custom_opp_linux_<arch>.run [--quiet] [--install-path=DIR]
#
# Needs no opc. The order of the steps is that of `opc pkg install`: the folder is staged and renamed, then config.ini
# names the vendor; ended at any moment, the old package or the new one is there after the next run.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")"
vendor=$(cat vendor)

say() { [ -n "${OPC_QUIET:-}" ] || printf '%s\n' "$*"; }
fail() {
  printf 'error: %s\n' "$2" >&2
  exit "$1"
}

place=${OPC_INSTALL_PATH:-}
if [ -z "$place" ]; then
  place=${ASCEND_CUSTOM_OPP_PATH:-${ASCEND_OPP_PATH:-}}
  case "$place" in
    *:*) fail 2 "ASCEND_CUSTOM_OPP_PATH names several places: say which with --install-path=DIR" ;;
  esac
fi
[ -n "$place" ] || fail 2 "expects --install-path=DIR, ASCEND_CUSTOM_OPP_PATH or ASCEND_OPP_PATH"
mkdir -p "$place"
place=$(cd "$place" && pwd -P)
# A vendor folder, or the folder of all vendors, stands for what holds them.
case "$place" in
  */vendors) place=${place%/vendors} ;;
  */vendors/*) [ "$(basename "$(dirname "$place")")" != vendors ] || place=$(dirname "$(dirname "$place")") ;;
esac
vendors=$place/vendors

(cd package && sha256sum --check --quiet --strict ../SHA256SUMS) || fail 1 "the archive is damaged: a file has another checksum"

mkdir -p "$vendors"
exec 9>"$vendors/.opc.lock"
flock -w 30 9 || fail 6 "another process changes '$vendors'"

target=$vendors/$vendor
old=$vendors/.opc-old-$vendor
if [ -e "$old" ]; then
  if [ -e "$target" ]; then rm -rf "$old"; else mv -T "$old" "$target"; fi
fi
rm -rf "$vendors"/.opc-stage-*
if [ -e "$target" ] && [ ! -e "$target/package.json" ] && [ -n "$(ls -A "$target")" ]; then
  fail 6 "'$target' was not installed by opc: give the package another vendor name, or remove that folder"
fi

config=$vendors/config.ini
lists=0
[ ! -e "$config" ] || lists=$(grep -c '^[[:space:]]*load_priority[[:space:]]*=' "$config" || true)
[ "$lists" -le 1 ] || fail 6 "'$config' has several lines load_priority: mend it by hand"

stage=$vendors/.opc-stage-$$-run
mkdir "$stage"
trap 'rm -rf "$stage"' EXIT
cp -R package/. "$stage/"
find "$stage" -type f -exec sync {} +
[ ! -e "$target" ] || mv -T "$target" "$old"
mv -T "$stage" "$target"
rm -rf "$old"

# A vendor that is listed keeps its turn; a new one is asked first. Other lines stay.
if ! sed -n 's/^[[:space:]]*load_priority[[:space:]]*=//p' "$config" 2>/dev/null | tr ',' '\n' | sed 's/[[:space:]]//g' | grep -qxF "$vendor"; then
  { [ ! -e "$config" ] || cat "$config"; } | awk -v vendor="$vendor" '
    /^[[:space:]]*load_priority[[:space:]]*=/ { list = $0; sub(/^[^=]*=/, "", list); gsub(/[[:space:]]/, "", list)
                print "load_priority=" vendor (list == "" ? "" : "," list); found = 1; next }
    { print }
    END { if (!found) print "load_priority=" vendor }' >"$config.opc-new"
  sync "$config.opc-new"
  mv -T "$config.opc-new" "$config"
fi
sync "$vendors"
say "installed '$vendor' in '$target'"
[ "$place" = "${ASCEND_OPP_PATH:-}" ] || say "source '$target/bin/set_env.bash' before a model is converted or run"
