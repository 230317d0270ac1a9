#!/bin/bash
# direct-code.sh - the code that placement=direct runs in the program's place (rt/direct_code.o in
# the build) uses no vector or x87 register, leaves %r15 to its gates, and reaches no code but its
# own.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$(dirname "$0")/../lib.sh"
need_build
need objdump nm

object=$BUILD/rt/direct_code.o
objdump -d --no-show-raw-insn "$object" >code || fail "$object cannot be read"
grep -q '<cab_direct_feed>:' code || fail "no code"

# judge FILE: fail if the disassembly FILE breaks a rule.
judge ()
{
  ! grep -E '%([xyz]?mm[0-9]|st\b|k[0-7]\b)' "$1" >wrong || fail "vectors: $(head -3 wrong)"
  # The gates are written in assembly, and are all that may name the register.
  awk '/^[0-9a-f]+ <.*>:$/ { name = $2 }
    /%r15/ && name !~ /^<(cab_direct_(event|words|escape|slow_.*|one_.*|many_.*)|done)>:/' \
    "$1" >wrong
  [ ! -s wrong ] || fail "%r15: $(head -3 wrong)"
}
judge code

nm -u "$object" | awk '{ print $2 }' | sort >undefined
known='rt|clock_by_call|fork_word|fork_lacks|gate_call|tramp_event|tramp_words|direct_[a-z_]*'
objdump -r -j .text -j .text.unlikely "$object" | awk 'NF == 3 { print $3 }' |
  sed 's/[+-]0x[0-9a-f]*$//' | sort -u | comm -12 - undefined | grep -vxE "cab_($known)" >others
[ ! -s others ] || fail "it reaches $(tr '\n' ' ' <others)"

# The rules see what they are for.
for line in 'movdqa %xmm0,(%rax)' 'mov %r15,%rax'; do
  { cat code; printf '0 <f>:\n 0:\t%s\n' "$line"; } >broken
  ! (judge broken) >said || fail "\`$line' passes"
done
