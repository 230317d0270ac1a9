#!/bin/bash
# torture.sh - make torture runs the suite with all crossings, GCC's own execution tests at LEVELS,
# and real programs, all with probes and GCC's internal checks. The last line has the sum of the
# three.
# SPDX-License-Identifier: GPL-3.0-or-later
place=$(cd "$(dirname "$0")/oracle" && pwd)
# shellcheck disable=SC2086
{ "$place/../run" --no-build --all; "$place/suites" all ${LEVELS:--O2}; "$place/checked" all; } |
  awk '
  /^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$/ { n++; passed += $1; failed += $3; skipped += $5; print; fflush (); next }
  { print; fflush () }
  END { printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped; exit failed || n != 3 }'
