#!/bin/sh
# A linker that has its caller ended by a signal first.
kill -"$SIGNAL" "$PPID"
exec "$REAL_LLD" "$@"
