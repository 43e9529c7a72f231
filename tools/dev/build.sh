# ./dev build: CMake and Ninja with clang 22, in build (Release), build/sanitize, or a folder for each build of the runtime
# alone (boards.sh).

# build <release|sanitize|thread|gcc11|aarch64> [targets]: configures if needed, then builds the targets or everything.
build() {
  local flavour=$1 folder options
  shift
  folder=$(build_folder "$flavour")
  local runtime_only=()
  mapfile -t runtime_only < <(runtime_options "$flavour")
  options=(-G Ninja -DCMAKE_C_COMPILER=/usr/bin/clang-22 -DCMAKE_CXX_COMPILER=/usr/bin/clang++-22
    -DCMAKE_BUILD_TYPE=Release "-DOPC_PYTHON=$venv/bin/python3")
  case "$flavour" in
    release) ;;
    sanitize) options+=(-DOPC_SANITIZE=ON) ;;
    *) options=(-G Ninja "${runtime_only[@]}") ;;
  esac

  configure "$folder" "${options[@]}"
  say "building ${*:-everything} in ${folder#"$root"/} with $(jobs_for_memory) jobs"
  NINJA_STATUS='[%f/%t, %es] ' ninja -C "$folder" -j "$(jobs_for_memory)" "$@" >&2 ||
    fail 1 "the build failed; the message is above"
}

build_folder() {
  case "$1" in
    release) printf '%s' "$root/build" ;;
    *) printf '%s' "$root/build/$1" ;;
  esac
}

# configure <folder> <options>: configures once, and again when the options or the path of the tree change.
configure() {
  local folder=$1 wanted
  shift
  wanted="$root $*"
  if [ -f "$folder/build.ninja" ] && [ "$(cat "$folder/configured" 2>/dev/null)" = "$wanted" ]; then
    return 0
  fi
  say "configuring ${folder#"$root"/}"
  mkdir -p "$folder"
  rm -rf "$folder/configured" "$folder/CMakeCache.txt" "$folder/CMakeFiles"
  if ! cmake -S "$root" -B "$folder" "$@" >"$folder/configure.log" 2>&1; then
    cat "$folder/configure.log" >&2
    fail 1 "cmake could not configure ${folder#"$root"/}; its message is above"
  fi
  printf '%s\n' "$wanted" >"$folder/configured"
}

# The number of jobs: all cores, but at most one per 1.5 GB of memory.
jobs_for_memory() {
  local jobs by_memory
  jobs=$(nproc)
  by_memory=$(awk '/^MemAvailable:/ { print int($2 / 1500000) }' /proc/meminfo 2>/dev/null)
  [ "${by_memory:-$jobs}" -ge "$jobs" ] || jobs=$by_memory
  [ "$jobs" -ge 1 ] || jobs=1
  printf '%s' "${OPC_JOBS:-$jobs}"
}

say_where() {
  say "built. Programs:"
  find build/bin -maxdepth 1 -type f -executable | sort
}
