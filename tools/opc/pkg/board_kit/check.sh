#!/usr/bin/env bash
# Runs the installed operator on check/*/ and compares with the outputs there.
#
#   ./check.sh [--install-path=DIR]
#
# Exits 0 when all cases are within the contract's tolerance, else 1.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")"
. ./operator.sh
. ./toolkit.sh
read_place "$@"
find_toolkit
find_vendor "$place"
step "check against $vendor"
build_check
check/run check
