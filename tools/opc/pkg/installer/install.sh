#!/usr/bin/env bash
# Installs the package next to this script where the vendor's framework finds it. The self-extracting archive runs it:
#
#   custom_opp_linux_<arch>.run [--quiet] [--force] [--install-path=DIR]
#
# Does not need opc. The steps are those of `opc pkg install`: it refuses operators that another vendor has, unless
# --force is given; it stages the folder and exchanges it atomically with the old one, then adds the vendor to
# config.ini. When it is killed at any moment, the old package or the new one is complete.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")"
vendor=$(cat vendor)

say() { [ -n "${OPC_QUIET:-}" ] || printf '%s\n' "$*"; }
fail() {
  printf 'error: %s\n' "$2" >&2
  exit "$1"
}

# The operators that an ops-info JSON declares: the keys of its outer object.
declared() {
  LC_ALL=C awk '
    { for (i = 1; i <= length($0); i++) {
        c = substr($0, i, 1)
        if (c == "\"") {
          text = ""
          for (i++; i <= length($0) && (c = substr($0, i, 1)) != "\""; i++) {
            if (c == "\\") i++
            text = text substr($0, i, 1)
          }
        }
        else if (c == "{" || c == "[") depth++
        else if (c == "}" || c == "]") depth--
        else if (c == ":" && depth == 1) print text
      } }' "$1"
}

# Exchanges the names of two folders atomically, by mv of newer systems or by its system call. Fails when neither works.
exchange() {
  ! mv --exchange -T "$1" "$2" 2>/dev/null || return 0
  perl -e 'require POSIX; my %call = (x86_64 => 316, aarch64 => 276);  # renameat2
           my $number = $call{(POSIX::uname())[4]} or exit 1;
           exit(syscall($number, -100, $ARGV[0], -100, $ARGV[1], 2) == 0 ? 0 : 1)' "$1" "$2" 2>/dev/null
}

place=${OPC_INSTALL_PATH:-}
if [ -z "$place" ]; then
  place=${ASCEND_CUSTOM_OPP_PATH:-${ASCEND_OPP_PATH:-}}
  case "$place" in
    *:*) fail 2 "ASCEND_CUSTOM_OPP_PATH names several places: say which with --install-path=DIR" ;;
  esac
fi
[ -n "$place" ] || fail 2 "expects --install-path=DIR, ASCEND_CUSTOM_OPP_PATH or ASCEND_OPP_PATH"
mkdir -p "$place" 2>/dev/null || fail 6 "cannot make the folder '$place'"
place=$(cd "$place" && pwd -P)
# A vendor folder, or the folder of all vendors, means the folder that contains them.
case "$place" in
  */vendors) place=${place%/vendors} ;;
  */vendors/*) [ "$(basename "$(dirname "$place")")" != vendors ] || place=$(dirname "$(dirname "$place")") ;;
esac
vendors=$place/vendors

(cd package && sha256sum --check --quiet --strict ../SHA256SUMS) || fail 1 "the archive is damaged: a file has another checksum"

# Refuse links: users who can write here must not make this script write elsewhere.
lock=$vendors/.opc.lock
for path in "$lock" "$vendors/$vendor" "$vendors/config.ini"; do
  [ ! -L "$path" ] || fail 6 "'$path' is a link"
done
{ mkdir -p "$vendors" && : >>"$lock"; } 2>/dev/null || fail 6 "cannot write in '$vendors'"
exec 9<>"$lock"
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
[ ! -e "$config" ] || [ -f "$config" ] || fail 6 "'$config' is no regular file"
lists=0
[ ! -e "$config" ] || lists=$(grep -c '^[[:space:]]*load_priority[[:space:]]*=' "$config" || true)
[ "$lists" -le 1 ] || fail 6 "'$config' has several lines load_priority: mend it by hand"

for other in "$vendors"/*/; do
  other=${other%/}
  if [ ! -d "$other" ] || [ "$other" = "$target" ]; then continue; fi
  for info in "$other"/op_impl/ai_core/tbe/config/ascend310b/aic-ascend310b-ops-info.json \
    "$other"/op_impl/custom/ai_core/tbe/config/ascend310b/aic-ascend310b-ops-info.json; do
    [ -f "$info" ] || continue
    both=$(declared "$info" | grep -xFf operators | paste -sd ' ' - || true)
    [ -n "$both" ] || continue
    [ -n "${OPC_FORCE:-}" ] || fail 1 "'$(basename "$other")' has operators of this package too: $both; --force installs it all the same"
    say "warning: also of '$(basename "$other")': $both"
  done
done

stage=$vendors/.opc-stage-$$-run
mkdir "$stage" 2>/dev/null || fail 6 "cannot write in '$vendors'"
trap 'rm -rf "$stage"' EXIT
cp -R package/. "$stage/" 2>/dev/null || fail 6 "cannot write in '$stage': $(df -Ph "$vendors" | awk 'END { print $4 }') are free there"
find "$stage" -type f -exec sync {} +
if [ ! -e "$target" ]; then
  mv -T "$stage" "$target"
elif ! exchange "$stage" "$target"; then
  # Move the old folder away; if the script is killed here, the next run restores it.
  mv -T "$target" "$old"
  mv -T "$stage" "$target"
fi
rm -rf "$old"

# A listed vendor keeps its position; a new one comes first. Other lines are not changed.
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
