# ./dev bench: installs what the bench needs beyond a build, then runs it in Python.
#
# Peers and plots are optional: what cannot be installed without a network or without root is reported and omitted.

# bench_arguments "$@": refuses invalid arguments, or prints the help, before anything is installed or built.
bench_arguments() {
  command -v python3 >/dev/null || return 0
  python3 tools/dev/bench --arguments-only "$@" || exit $?
  case " $* " in
    *' --help '* | *' -h '*) exit 0 ;;
  esac
}

bench() {
  setup_bench_python
  setup_onednn
  "$venv/bin/python3" tools/dev/bench --build build "$@"
}

setup_bench_python() {
  local wanted package whole=1
  wanted=$(cat tools/dev/requirements.txt tools/dev/requirements-bench.txt | sha256sum | cut -d' ' -f1)
  [ "$(cat "$venv/stamp-bench" 2>/dev/null)" != "$wanted" ] || return 0
  say "adding to build/venv for the bench: about 90 MB to download, 330 MB on disk"
  for package in $(sed 's/#.*//' tools/dev/requirements-bench.txt); do
    say "  $package"
    PIP_DISABLE_PIP_VERSION_CHECK=1 "$venv/bin/python3" -m pip install --quiet --no-input --only-binary :all: --retries 1 \
      --constraint tools/dev/requirements.txt "$package" >"$(log "pip-${package%%=*}")" 2>&1 || {
      say "note: $package could not be installed (see build/log/pip-${package%%=*}.log), going on without"
      whole=''
    }
  done
  [ -z "$whole" ] || printf '%s\n' "$wanted" >"$venv/stamp-bench"
}

# oneDNN is Debian's libdnnl-dev, called through a library of this project.
setup_onednn() {
  local state
  state=$(dpkg-query -W -f '${db:Status-Status}' libdnnl-dev 2>/dev/null) || true
  if [ "$state" != installed ]; then
    say "installing libdnnl-dev for the bench: 7 MB to download, 40 MB on disk"
    (choose_privilege && as_root timeout 300 apt-get install -y -q --no-install-recommends libdnnl-dev) \
      >"$(log apt-onednn)" 2>&1 || {
      say "note: libdnnl-dev could not be installed (see build/log/apt-onednn.log), going on without oneDNN"
      return 0
    }
  fi
  if [ ! -e build/lib/libopc_bench_onednn.so ]; then
    cmake build >"$(log cmake-onednn)" 2>&1 || fail 1 "cmake could not configure build again; see build/log/cmake-onednn.log"
  fi
  ninja -C build opc_bench_onednn >"$(log build-onednn)" 2>&1 ||
    say "note: opc_bench_onednn could not be built (see build/log/build-onednn.log), going on without oneDNN"
}
