#!/usr/bin/env bash
# Builds this operator with the toolkit of this machine and installs it.
#
#   ./make.sh [--install-path=DIR]
#
# Generates a project with your own msopgen and copies the files of this folder over it. This folder has no files of the
# toolkit.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")"
. ./operator.sh
. ./toolkit.sh

install=()
for argument in "$@"; do
  case "$argument" in
    --install-path=?*) install=("$argument") ;;
    *) fail 2 "expects --install-path=DIR or nothing, found '$argument'" ;;
  esac
done

find_toolkit
msopgen=$(find_tool msopgen python/site-packages/bin/msopgen)
step "project by $msopgen"
rm -rf project
logged generate "$msopgen" gen -i op.json -c "ai_core-$OPC_SOC" -lan cpp -out project
[ -d project/op_host ] && [ -d project/op_kernel ] || fail 1 "msopgen made no project/op_host and project/op_kernel; see log/generate.log"

step "our files over it"
cp op_host/* project/op_host/
cp op_kernel/* project/op_kernel/
[ ! -f project/CMakePresets.json ] || python3 presets.py project/CMakePresets.json "$toolkit" "$OPC_VENDOR" "$OPC_SOC"

step "build"
logged build bash -c 'cd project && bash ./build.sh'
package=$(find project/build_out -maxdepth 1 -name 'custom_opp_*.run' 2>/dev/null | head -n 1)
[ -n "$package" ] || fail 1 "the build made no project/build_out/custom_opp_*.run; see log/build.log and errors.md"

step "install $(basename "$package")"
logged install bash "$package" --quiet "${install[@]}"
say "installed $OPC_TYPE; ./check.sh compares its results"
