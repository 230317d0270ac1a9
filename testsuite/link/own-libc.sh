#!/bin/bash
# own-libc.sh - a program that defines functions of the C library itself behaves with probes as
# without, and only its own calls count.
# SPDX-License-Identifier: GPL-3.0-or-later
# timeout: 240
# each: asked preloaded sampled analysis static paths calls memory loops combined
. "$(dirname "$0")/../lib.sh"
need_build
source=$TOP/testsuite/link/src/own_libc.c
linked=
names=$(sed -nE 's/^(OWN|SYSTEM|PASSED) \((\w+).*/\2/p' "$source")
compile=(-std=gnu11 -D_GNU_SOURCE -O1 -g -fno-builtin -c "$source")

# Print the names that FILE... leaves undefined.
undefined ()
{
  nm "$@" 2>/dev/null | awk 'NF > 1 && $(NF - 1) ~ /^[Uvw]$/ { sub (/@.*/, "", $NF); print $NF }' |
    sort -u
}

# Check what the runtime uses of other libraries. A variable cannot be intercepted; weak names are
# the compiler's.
asked ()
{
  undefined -D "$BUILD/lib/libcabprof.so.1" >asked
  diff asked - <<'end' || fail "libcabprof.so.1 needs other functions than listed"
_ITM_deregisterTMCloneTable
_ITM_registerTMCloneTable
__cxa_finalize
__environ
__gmon_start__
__libc_stack_end
_r_debug
environ
end
  for library in sample heap; do
    undefined -D "$BUILD/lib/libcabprof-$library.so" | diff asked - ||
      fail "libcabprof-$library.so needs other functions than listed"
  done
  # A static program has no loader to find functions with: these are called by name.
  mkdir members && (cd members && ar x "$BUILD/lib/libcabprof.a" && rm gthreads.o)
  nm members/*.o | awk '$2 ~ /^[A-TV-Z]$/ { print $3 }' | sort -u >defined
  undefined members/*.o | comm -23 - defined >asked
  diff asked - <<'end' || fail "libcabprof.a needs other functions than listed"
_GLOBAL_OFFSET_TABLE_
__errno_location
__libc_stack_end
__popcountdi2
__rseq_offset
dl_iterate_phdr
environ
pthread_atfork
pthread_attr_destroy
pthread_attr_init
pthread_attr_setdetachstate
pthread_attr_setstack
pthread_create
pthread_key_create
pthread_setspecific
end
  echo 'int f (int n) { return n; }' >f.c
  "$CGCC" -O2 -c f.c || fail "compile f.c"
  undefined f.o >asked
  diff asked - <<'end' || fail "an object with probes needs other functions than listed"
_DYNAMIC
_GLOBAL_OFFSET_TABLE_
__libc_stack_end
_r_debug
cabprof_attach
cabprof_detach
environ
end
  nm f.o | awk 'NF == 3 && $3 != "f" && $3 !~ /^(__cab_|\.Lcab_)/' >asked
  [ ! -s asked ] || fail "an object with probes has names that the program may have: $(cat asked)"
}

# A preloaded library has such functions, the programs have no probes: the calls of its own
# constructor count, and no others.
preloaded ()
{
  cat >own.c <<'end'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>
#include <sys/syscall.h>
int open (const char *file, int flags, ...) { return syscall (SYS_openat, AT_FDCWD, file, flags, 0); }
ssize_t write (int fd, const void *from, size_t n) { return syscall (SYS_write, fd, from, n); }
char *getenv (const char *name) { (void) name; return NULL; }
void *memcpy (void *to, const void *from, size_t n)
{
  for (size_t i = 0; i < n; i++)
    {
      ((char *) to)[i] = ((const char *) from)[i];
      __asm__ ("" ::: "memory");
    }
  return to;
}
int pthread_create (pthread_t *to, const pthread_attr_t *attr, void *(*run) (void *), void *data)
{
  int (*real) (pthread_t *, const pthread_attr_t *, void *(*) (void *), void *) = dlsym (RTLD_NEXT, "pthread_create");
  return real (to, attr, run, data);
}
static void __attribute__ ((constructor)) begin (void)
{
  int fd = open ("/dev/null", O_WRONLY);
  write (fd, "x", 1);
  close (fd);
}
end
  for events in paths calls paths+calls+memory; do
    gcc -O1 -g -fno-builtin -shared -fPIC -fplugin="$PLUGIN" -fplugin-arg-cabprof-events=$events \
      own.c -o own.so || fail "own.so"
    for placement in thread inline; do
      rm -rf p
      CABPROF_OPTIONS=data=$PWD/p:placement=$placement LD_PRELOAD=$PWD/own.so timeout 60 \
        /bin/true || fail "preloaded, $events, $placement: $?"
      "$CABPROF" report methods -d p --format=tsv | awk -F'\t' 'NR > 1 { print $1, $4 }' | sort >got
      printf 'begin 1\nopen 1\nwrite 1\n' | diff - got ||
        fail "preloaded, $events, $placement: the profile has other calls"
    done
  done
}

# cabprof record preloads the sampler, in a program without probes and in one with.
sampled ()
{
  gcc "${compile[@]}" -o plain.o || fail "compile"
  gcc "${compile[@]}" -fplugin="$PLUGIN" -fplugin-arg-cabprof-events=paths+calls -o probed.o ||
    fail "compile"
  link plain.o plain $names
  link probed.o program $names
  rm -rf own own.d
  ./plain >expected || fail "plain"
  for program in plain program; do
    rm -rf p own own.d samples
    mkdir samples
    CABPROF_SAMPLE=1000000:0:$PWD/samples LD_PRELOAD=$BUILD/lib/libcabprof-sample.so \
      CABPROF_OPTIONS=data=p:placement=inline timeout 60 ./$program >got ||
      fail "sampled, $program: $?"
    # One more library to load, and one more key in a thread, make some more calls of free in the C
    # library.
    diff <(grep -v '^free ' expected) <(grep -v '^free ' got) ||
      fail "sampled, $program: the output differs"
    [ -n "$(ls samples)" ] || fail "sampled, $program: no file of samples"
  done
  cp got expected
  check_calls sampled
}

# A user's analysis calls a function that the program defines: the analysis' calls count nowhere,
# and none of its events is dropped.
analysis ()
{
  sed -n '/^```c$/,/^```$/{/^```$/q;/^```/d;p}' "$TOP/docs/own-analysis.md" >strides.c
  grep -q '^feed (' strides.c ||
    fail "docs/own-analysis.md: another example than this test knows"
  sed -i '1i #include <string.h>
/^feed (/,/^{/s/^{/{ char copy[16]; memcpy (copy, b, sizeof copy);/' strides.c
  gcc -O1 -shared -fPIC -fno-builtin -idirafter "$TOP/include" strides.c -o strides.so ||
    fail "strides.so"
  gcc "${compile[@]}" -o plain.o || fail "compile"
  gcc "${compile[@]}" -fplugin="$PLUGIN" -fplugin-arg-cabprof-events=paths+memory -o probed.o ||
    fail "compile"
  link plain.o plain memcpy
  link probed.o program memcpy
  rm -rf own own.d
  ./plain >expected || fail "plain"
  for placement in thread inline; do
    rm -rf p own own.d
    CABPROF_OPTIONS=data=p:analyses=./strides.so:ring=64K:placement=$placement timeout 60 \
      ./program >got || fail "analysis, $placement: $?"
    CABPROF_ANALYSES=. check_calls "analysis, $placement"
    CABPROF_ANALYSES=. "$CABPROF" report account -d p --format=tsv |
      awk -F'\t' '$1 ~ /^dropped_no/ && $2 > 0' >dropped
    [ ! -s dropped ] || fail "analysis, $placement: $(cat dropped)"
  done
}

# Static programs may define only functions that can stand beside the C library's archive, and that
# it does not call before there is thread-local memory.
static ()
{
  local some="strtoull getcwd sigemptyset sigaddset sched_getaffinity recv pwritev access clock_gettime connect fallocate fchmod flock ftruncate getpid getppid link mkdir rmdir socket unlink sendmsg open close read write mmap munmap"
  for events in paths+calls+memory; do
    gcc "${compile[@]}" -o plain.o || fail "compile"
    gcc "${compile[@]}" -fplugin="$PLUGIN" -fplugin-arg-cabprof-events=$events -o probed.o ||
      fail "compile"
    for name in $some all; do
      [ $name != all ] || name=$linked
      options=$(for n in $name; do echo "-Wl,--defsym=$n=own_$n"; done)
      gcc -static -w plain.o $options -o plain 2>errors || continue
      linked="${linked:-} $name"
      "$CGCC" -static -w probed.o $options -o program 2>errors ||
        fail "static, $name: $(cat errors)"
      rm -rf p own own.d
      ./plain >expected
      rm -rf own own.d
      CABPROF_OPTIONS=data=p:placement=inline timeout 60 ./program >got ||
        fail "static, $events, $name: $?"
      diff expected got || fail "static, $events, $name: the program's output differs"
      check_calls "static, $events, $name"
    done
    case $linked in *access*getpid*) ;; *) fail "static: only$linked were tried" ;; esac
  done
}

# link OBJECT PROGRAM NAME...: link PROGRAM, which calls own_NAME by the names.
link ()
{
  local object=$1 program=$2
  shift 2
  local names=$(for name; do echo "$name $name"; done)
  gcc -rdynamic "$object" $(printf -- "-Wl,--defsym=%s=own_%s " $names) -o "$program" ||
    fail "link $program"
}

# run PLACEMENT: write what the program prints, and its profile to p.
run ()
{
  rm -rf p own own.d
  CABPROF_OPTIONS=data=p:placement=$1:ring=64K timeout 60 ./program
}

# Check that each own function has as many calls in the profile as it has counted itself.
check_calls ()
{
  awk 'NF == 2 { n["own_" $1] += $2 } END { for (f in n) print f "\t" n[f] }' expected |
    sort >counted
  "$CABPROF" report methods -d p --limit=0 --format=tsv |
    awk -F'\t' '$1 ~ /^own_/ { print $1 "\t" $4 }' | sort >reported
  diff counted reported || fail "$1: the profile has other calls"
}

# try LABEL NAME...: check that with NAME... the program prints what it prints without probes.
try ()
{
  local label=$1
  shift
  link plain.o plain "$@"
  link probed.o program "$@"
  rm -rf own own.d
  ./plain >expected || fail "$label: plain"
  for placement in thread inline; do
    run $placement >got 2>errors || fail "$label, $placement: exit status $? $(head -3 errors)"
    # Where the runtime has a thread, the C library has allocated its table by calloc.
    [ $placement = inline ] || sed -i '/^calloc /d' got
    sed "$([ $placement = inline ] || echo '/^calloc /d')" expected | diff - got ||
      fail "$label, $placement: the program's output differs"
    [ ! -s errors ] || fail "$label, $placement: $(cat errors)"
    case $events in *paths*|*calls*) check_calls "$label, $placement" ;; esac
  done
}

case ${1:-paths} in
asked | preloaded | sampled | analysis | static) $1; exit ;;
combined) events=paths+calls+memory+loops ;;
*) events=${1:-paths} ;;
esac
gcc "${compile[@]}" -o plain.o || fail "compile"
gcc "${compile[@]}" -fplugin="$PLUGIN" -fplugin-arg-cabprof-events="$events" -o probed.o ||
  fail "compile with events=$events"
try all $names
for name in $names; do
  try "$name" "$name"
done
