#!/usr/bin/env bash
# Measures the installed operator with the vendor's profiler; op_summary.csv has the times.
#
#   ./measure.sh [--install-path=DIR]
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")"
. ./operator.sh
. ./toolkit.sh
read_place "$@"
find_toolkit
find_vendor "$place"
profiler=$(find_tool msprof bin/msprof)
step "measure with $profiler"
build_check
rm -rf profile
mkdir profile
logged profile "$profiler" --output=profile --application="check/run check 50"
summary=$(find profile -name 'op_summary*.csv' | LC_ALL=C sort | head -n 1)
[ -n "$summary" ] || fail 1 "the profiler wrote no op_summary*.csv; see log/profile.log"
python3 summary.py "$summary" "$OPC_TYPE"
