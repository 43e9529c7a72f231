# Common functions of the scripts in this folder. Source this file, do not run it.

say() { printf '%s\n' "$*"; }
step() { printf '== %s\n' "$*"; }
# fail <exit code> <text>
fail() {
  printf 'error: %s\n' "$2" >&2
  exit "$1"
}

# Sets `toolkit` to the folder of the vendor's toolkit.
find_toolkit() {
  toolkit=${ASCEND_HOME_PATH:-${ASCEND_INSTALL_PATH:-}}
  [ -n "$toolkit" ] || fail 6 "ASCEND_HOME_PATH is not set: source the toolkit's set_env.sh first"
  [ -d "$toolkit" ] || fail 6 "ASCEND_HOME_PATH names no folder: '$toolkit'"
}

# find_tool <name> <path in the toolkit>: prints the path of a tool in PATH, else in the toolkit.
find_tool() {
  if command -v "$1"; then return; fi
  [ -x "$toolkit/$2" ] || fail 6 "cannot find $1: neither in PATH nor as $toolkit/$2"
  printf '%s\n' "$toolkit/$2"
}

# logged <name> <command>: runs a command with output to log/<name>.log; prints the end of the log when it fails.
logged() {
  local name=$1
  shift
  mkdir -p log
  if ! "$@" >"log/$name.log" 2>&1 </dev/null; then
    tail -n 20 "log/$name.log" >&2
    fail 1 "'$1' failed; all of it is in log/$name.log, errors.md explains the numbers"
  fi
}

# Sets `vendor` to the folder that the package was installed to: --install-path, else by the framework's search order.
find_vendor() {
  local folder path
  path=${1:+$1/vendors/$OPC_VENDOR}
  path=$path:${ASCEND_CUSTOM_OPP_PATH:-}:${ASCEND_CUSTOM_OPP_PATH:+$ASCEND_CUSTOM_OPP_PATH/vendors/$OPC_VENDOR}
  path=$path:${ASCEND_OPP_PATH:+$ASCEND_OPP_PATH/vendors/$OPC_VENDOR}
  while IFS= read -r -d : folder || [ -n "$folder" ]; do
    if [ -n "$folder" ] && [ -f "$folder/op_api/include/aclnn_$OPC_NAME.h" ]; then
      vendor=$folder
      return
    fi
  done <<<"$path:"
  fail 6 "cannot find the installed package with aclnn_$OPC_NAME.h: run ./make.sh first, or name its place with --install-path=DIR"
}

# Builds check/run from check.cpp against the toolkit and the installed package.
build_check() {
  logged compile "${CXX:-g++}" -std=c++17 -O2 -I . -I "$toolkit/include" -I "$vendor/op_api/include" check.cpp \
    -L "$toolkit/lib64" -L "$vendor/op_api/lib" -lascendcl -lnnopbase -lcust_opapi -o check/run
  export LD_LIBRARY_PATH="$vendor/op_api/lib:$toolkit/lib64${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
}

# Reads the option --install-path=DIR into `place`; refuses other arguments.
read_place() {
  place=''
  for argument in "$@"; do
    case "$argument" in
      --install-path=?*) place=${argument#--install-path=} ;;
      *) fail 2 "expects --install-path=DIR or nothing, found '$argument'" ;;
    esac
  done
}
