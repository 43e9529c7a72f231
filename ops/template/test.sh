#!/bin/sh
# Checks MyOperator: its contract, then both devices against reference.py. Options go to `opc test`: sh test.sh --device=sim
# Set OPC to the command where it is not on PATH.
set -eu
cd "$(dirname "$0")"
"${OPC:-opc}" contract check op_contract.yaml
"${OPC:-opc}" test op_contract.yaml --device=cpu,sim "$@"
