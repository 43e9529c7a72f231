# ./dev setup: the packages of packages.txt through apt-get, then a virtual environment from requirements.txt.
#
# Installs only what is missing, and prints it before. Packages are installed directly as root, otherwise through
# sudo. When run through sudo, everything after the packages is done as the user who called sudo, so that the build
# belongs to that user. The environment is complete when its stamp exists: the stamp has the hash of all inputs and is
# written last, so an interrupted run starts again.

venv=$root/build/venv

setup() {
  local began=$SECONDS
  setup_packages
  become_caller
  [ -w "$root" ] || [ -w "$root/build" ] || fail 6 "expects a tree that $(id -un) may write to, found '$root'"
  setup_venv
  [ $((SECONDS - began)) -lt 2 ] || say "set up"
}

# Packages of packages.txt that are not installed.
missing_packages() {
  local wanted installed
  wanted=$(sed 's/#.*//' "$root/tools/dev/packages.txt" | tr -s ' \t' '\n' | sed '/^$/d' | LC_ALL=C sort)
  # shellcheck disable=SC2086
  installed=$(dpkg-query -W -f '${db:Status-Status} ${binary:Package}\n' $wanted 2>/dev/null |
    sed -n 's/^installed \([^:]*\).*/\1/p' | LC_ALL=C sort -u) || true
  LC_ALL=C comm -23 <(printf '%s\n' "$wanted") <(printf '%s\n' "$installed")
}

setup_packages() {
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    fail 6 "expects a Debian 12 machine with dpkg and apt-get, found neither; the packages needed are in tools/dev/packages.txt"
  fi
  local missing
  missing=$(missing_packages)
  [ -n "$missing" ] || return 0

  local release
  release=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release 2>/dev/null || true)
  [ "$release" = bookworm ] || say "note: made for Debian 12 (bookworm), found '${release:-unknown}'; going on"
  choose_privilege

  say "updating the lists of packages"
  as_root apt-get update -q >"$(log apt-update)" 2>&1 ||
    say "note: apt-get update ended with an error, going on with the lists at hand (see build/log/apt-update.log)"
  require_candidates "$missing"
  tell_download "$missing"

  say "installing packages"
  # shellcheck disable=SC2086
  as_root apt-get install -y -q --no-install-recommends -o Dpkg::Use-Pty=0 -o Dpkg::Options::=--force-confold \
    -o DPkg::Lock::Timeout=300 $missing >&2 ||
    fail 6 "apt-get could not install the packages; its message is above. After an interrupted run 'dpkg --configure -a' helps"
  missing=$(missing_packages)
  [ -z "$missing" ] || fail 6 "expects every package to be installed now, still missing:$(one_line "$missing")"
}

# Chooses how commands run as root: directly, or through sudo; fails when neither is possible.
choose_privilege() {
  if [ "$(id -u)" -eq 0 ]; then
    privilege=()
  elif ! command -v sudo >/dev/null; then
    fail 6 "installing packages needs root, and there is no sudo. Missing:$(one_line "$(missing_packages)")
  as root: apt-get update && apt-get install -y --no-install-recommends$(one_line "$(missing_packages)")"
  elif sudo -n true 2>/dev/null || { terminal && sudo -v; }; then
    privilege=(sudo)
  else
    fail 6 "installing packages needs root, and sudo asks for a password without a terminal to ask on. Missing:$(one_line "$(missing_packages)")"
  fi
}

# Whether there is a terminal to ask for a password.
terminal() {
  { : </dev/tty; } 2>/dev/null
}

as_root() {
  "${privilege[@]}" env DEBIAN_FRONTEND=noninteractive NEEDRESTART_SUSPEND=1 LC_ALL=C "$@"
}

# require_candidates <packages>: fails unless the configured sources have all packages.
require_candidates() {
  local without
  # shellcheck disable=SC2086
  without=$(for package in $1; do
    grep -q 'Candidate: [^(]' <<<"$(LC_ALL=C apt-cache policy "$package")" || printf '%s\n' "$package"
  done)
  [ -n "$without" ] || return 0
  if grep -q -- '-22' <<<"$without"; then
    fail 6 "the configured package sources do not have:$(one_line "$without")
  LLVM 22 for Debian 12 is in the suite bookworm-security, component main. Add to /etc/apt/sources.list:
    deb http://deb.debian.org/debian-security bookworm-security main"
  fi
  fail 6 "the configured package sources do not have:$(one_line "$without")
  They are in Debian 12's suite bookworm, component main. Add to /etc/apt/sources.list:
    deb http://deb.debian.org/debian bookworm main"
}

# tell_download <packages>: prints what will be downloaded and installed, with sizes.
tell_download() {
  local files disk
  # shellcheck disable=SC2086
  files=$(LC_ALL=C apt-get install --print-uris -qq --no-install-recommends -o Debug::NoLocking=1 $1 | awk '{ print $2, $3 }')
  # shellcheck disable=SC2086
  disk=$(LC_ALL=C apt-get install --assume-no --no-install-recommends -o Debug::NoLocking=1 $1 2>/dev/null |
    sed -n 's/^After this operation, \(.*\) of additional disk space will be used\./\1/p') || true
  say "to install: $(one_line "$1" | wc -w) package(s)"
  for package in $1; do
    awk -v p="$package" 'index($1, p "_") == 1 { printf "         %-22s %8.1f MB\n", p, $2 / 1e6; found = 1 }
      END { if (!found) printf "         %-22s downloaded already\n", p }' <<<"$files" >&2
  done
  say "with what they depend on: $(grep -c . <<<"$files") files," \
    "$(human "$(awk '{ sum += $2 } END { print sum + 0 }' <<<"$files")") to download, ${disk:-unknown} on disk"
}

# When run through sudo, runs the rest as the user who called it.
become_caller() {
  [ "$(id -u)" -eq 0 ] && [ "${SUDO_UID:-0}" -ne 0 ] || return 0
  local home name groups=--clear-groups
  name=$(getent passwd "$SUDO_UID" | cut -d: -f1) && groups=--init-groups
  home=$(getent passwd "$SUDO_UID" | cut -d: -f6)
  [ ! -d build ] || [ -z "$(find build -uid 0 -print -quit)" ] || chown -R "$SUDO_UID:$SUDO_GID" build
  exec setpriv --reuid="$SUDO_UID" --regid="$SUDO_GID" "$groups" \
    env -u SUDO_UID -u SUDO_GID HOME="${home:-/tmp}" USER="${name:-$SUDO_UID}" "$root/dev" "${invocation[@]}"
}

setup_venv() {
  local wanted
  wanted=$(/usr/bin/python3 --version | cat - tools/dev/requirements.txt | sha256sum | cut -d' ' -f1)
  if [ "$(cat "$venv/stamp" 2>/dev/null)" = "$wanted" ] && "$venv/bin/python3" -c '' 2>/dev/null; then
    return 0
  fi
  say "making the Python environment build/venv: about 90 MB to download, 310 MB on disk"
  sed -n 's/^\([a-z_]*\)==\(.*\)/         \1 \2/p' tools/dev/requirements.txt >&2
  rm -rf "$venv"
  /usr/bin/python3 -m venv "$venv" >&2 || fail 6 "python3 could not make an environment in build/venv; its message is above"
  if ! PIP_DISABLE_PIP_VERSION_CHECK=1 "$venv/bin/python3" -m pip install --quiet --no-input --only-binary :all: \
    -r tools/dev/requirements.txt >&2; then
    rm -rf "$venv"
    fail 6 "pip could not install tools/dev/requirements.txt; its message is above"
  fi
  printf '%s\n' "$wanted" >"$venv/stamp"
}

# log <name>: prints the path of a log after creating its folder.
log() {
  mkdir -p "$root/build/log"
  printf '%s' "$root/build/log/$1.log"
}

# one_line <lines>: prints all lines on one line, each after a blank.
one_line() {
  # shellcheck disable=SC2086
  printf ' %s' $1
}
