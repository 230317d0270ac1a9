/* cmd_doctor.c - cabprof doctor: what this machine can do, by trying it.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/command/command.h"
#include <errno.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <ftw.h>
#include <inttypes.h>
#include <limits.h>
#include <linux/membarrier.h>
#include <linux/rseq.h>
#include <sched.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <libiberty/libiberty.h>
#include "analyses/command/arguments.h"
#include "analyses/command/doctor/doctor.h"
#include "analyses/profile/model.h"
#include "rt/common/cpus.h"

/* A program that the doctor compiles and runs.  It is known to execute `f' 10 times. */
static const char program[]
  = "int __attribute__ ((noinline)) f (int i) { return i & 1 ? i : -i; }\n"
    "int main (void) { int s = 0; for (int i = 0; i < 10; i++) s += f (i); return s != 5; }\n";

void
cab_doctor_tell (const char *verdict, const char *what, const char *format, ...)
{
  va_list ap;
  printf ("%-5s %-28s ", verdict, what);
  va_start (ap, format);
  vprintf (format, ap);
  va_end (ap);
  putchar ('\n');
}

int
cab_doctor_run (const struct cab_patient *p, const char *const *argv)
{
  int status, error;
  const char *wrong = pex_one (PEX_SEARCH | PEX_LAST | PEX_STDERR_TO_STDOUT, argv[0],
			       (char *const *) argv, "cabprof", p->output, NULL, &status, &error);
  return wrong || !WIFEXITED (status) ? -1 : WEXITSTATUS (status);
}

const char *
cab_doctor_first_line (const struct cab_patient *p, char line[256])
{
  FILE *file = fopen (p->output, "r");
  *line = 0;
  if (file && fgets (line, 256, file))
    line[strcspn (line, "\n")] = 0;
  if (file)
    fclose (file);
  return line;
}

static bool
write_source (const struct cab_patient *p)
{
  FILE *file = fopen (p->source, "w");
  bool good = file && fputs (program, file) >= 0;
  return file && fclose (file) == 0 && good;
}

static int
remove_one (const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
  (void) st, (void) kind, (void) ftw;
  return remove (path);
}

static void
remove_tree (const char *path)
{
  nftw (path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* Return true if the profile agrees with what the program did. */
static bool
read_profile (const struct cab_patient *p, const char **wrong, struct cab_diag *diag)
{
  struct cab_model model;
  uint64_t calls = 0;
  *wrong = diag->text;
  if (cab_model_open (&model, p->profile, false, diag) < 0)
    return false;
  for (uint32_t i = 0; i < model.n_functions; i++)
    if (!strcmp (model.functions[i]->assembler, "f"))
      calls = cab_model_calls (model.functions[i]);
  snprintf (diag->text, sizeof diag->text,
	    "the profile says %" PRIu64 " calls instead of 10: report this", calls);
  cab_model_close (&model);
  return calls == 10;
}

/* Run the compiled program and read its profile.  Return false and set *WRONG if something is
   wrong. */
static bool
try_program (const struct cab_patient *p, const char **wrong, struct cab_diag *diag)
{
  char *options = concat ("data=", p->profile, NULL);
  remove_tree (p->profile);
  setenv ("CABPROF_OPTIONS", options, 1);
  free (options);
  int status = cab_doctor_run (p, (const char *const[]) { p->binary, NULL });
  unsetenv ("CABPROF_OPTIONS");
  *wrong = "the program does not run: see whether this machine runs what it compiles";
  if (status != 0)
    return false;
  char line[256];
  if (*cab_doctor_first_line (p, line))
    {
      snprintf (diag->text, sizeof diag->text, "%s", line);
      *wrong = diag->text;
      return false;
    }
  return read_profile (p, wrong, diag);
}

char *
cab_doctor_flag (const struct cab_patient *p)
{
  char *plugin = concat (p->bin, "/../cabprof.so", NULL);
  char *flag = concat ("-fplugin=", access (plugin, R_OK) == 0 ? plugin : "cabprof", NULL);
  free (plugin);
  return flag;
}

static void
try_compiler (struct cab_patient *p, const char *compiler)
{
  char version[256], line[256];
  struct cab_diag diag;
  const char *wrong;
  if (cab_doctor_run (p, (const char *const[]) { compiler, "-dumpfullversion", NULL }) != 0)
    return;
  cab_doctor_first_line (p, version);
  char *flag = cab_doctor_flag (p);
  const char *const argv[] = { compiler, flag, "-O1", "-g", "-x", "c", p->source, "-o", p->binary,
			       NULL };
  int status = cab_doctor_run (p, argv);
  if (status != 0)
    cab_doctor_tell ("no", compiler, "%s: the plugin does not load: %s", version,
		     cab_doctor_first_line (p, line));
  else if (!try_program (p, &wrong, &diag))
    cab_doctor_tell ("no", compiler, "%s: the plugin loads, but: %s", version, wrong);
  else
    {
      cab_doctor_tell ("ok", compiler, "%s: compiles with probes; the program's profile is right",
		       version);
      p->works = true;
    }
  free (flag);
}

static void
try_compilers (struct cab_patient *p)
{
  static const char *const names[] = {
    "gcc", "gcc-10", "gcc-11", "gcc-12", "gcc-13", "gcc-14", "gcc-15", "gcc-16", "gcc-17", "g++",
    "gfortran"
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    try_compiler (p, names[i]);
  if (!p->works)
    cab_doctor_tell ("no", "compiling with probes",
		     "no compiler that was found does: install gcc and cabprof");
}

static void
look_for_runtime (const struct cab_patient *p)
{
  char *beside = concat (p->bin, "/../lib/libcabprof.so.1", NULL);
  char *path = realpath (beside, NULL);
  if (path)
    cab_doctor_tell ("ok", "runtime", "%s", path);
  else
    cab_doctor_tell ("no", "runtime", "%s is not there: install cabprof, or run make", beside);
  free (path);
  free (beside);
}

/* Print where analysis threads would run with NAME, affinity=HOW, if their producer were where this
   command is now. */
static void
try_affinity (const char *name, enum cab_cpus_how how)
{
  static const char *const why[] = {
    [CAB_CPUS_ONE] = "this process may run on one processor only",
    [CAB_CPUS_ALIKE] = "the other cores are equally near",
    [CAB_CPUS_UNTOLD] = "the kernel does not describe the caches"
  };
  struct cab_cpus allowed, chosen;
  char list[256];
  int cpu = sched_getcpu ();
  enum cab_cpus_found found = cpu < 0 || cab_cpus_allowed (&allowed) < 0
			      ? CAB_CPUS_UNTOLD
			      : cab_cpus_choose (how, CAB_CPUS_ROOT, cpu, &allowed, &chosen);
  if (found != CAB_CPUS_CHOSEN)
    {
      cab_doctor_tell ("-", name, "nothing to choose: %s", why[found]);
      return;
    }
  cab_cpus_text (&chosen, list, sizeof list);
  cab_doctor_tell ("ok", name, "from processor %d: %s", cpu, list);
}

/* Print how placement=direct would keep handlers away from the analyses. */
static void
try_direct (void)
{
  const ptrdiff_t *offset = dlsym (RTLD_DEFAULT, "__rseq_offset");
  const struct rseq *area = offset
			    ? (const struct rseq *) ((char *) __builtin_thread_pointer () + *offset)
			    : NULL;
  long known = syscall (SYS_membarrier, MEMBARRIER_CMD_QUERY, 0, 0);
  if (area && (int32_t) area->cpu_id >= 0 && known > 0
      && known & MEMBARRIER_CMD_PRIVATE_EXPEDITED_RSEQ)
    cab_doctor_tell ("ok", "placement=direct", "by restartable sequences");
  else
    cab_doctor_tell ("-", "placement=direct",
		     "by two system calls for each event: the kernel or the C library has no "
		     "restartable sequences");
}

static void
measure_machine (void)
{
  struct statvfs shm, here;
  cab_doctor_tell ("ok", "cores", "%ld", sysconf (_SC_NPROCESSORS_ONLN));
  try_affinity ("affinity=near", CAB_AFFINITY_NEAR);
  try_affinity ("affinity=far", CAB_AFFINITY_FAR);
  try_direct ();
  if (statvfs ("/dev/shm", &shm) == 0)
    cab_doctor_tell ("ok", "/dev/shm", "%" PRIu64 " MB free",
		     (uint64_t) shm.f_bavail * shm.f_frsize >> 20);
  else
    cab_doctor_tell ("no", "/dev/shm", "%s: profiles lie in files, so this matters little",
		     strerror (errno));
  if (statvfs (".", &here) == 0)
    cab_doctor_tell ((uint64_t) here.f_bavail * here.f_frsize >> 20 > 64 ? "ok" : "no",
		     "working directory", "%" PRIu64 " MB free",
		     (uint64_t) here.f_bavail * here.f_frsize >> 20);
}

static void
try_all (struct cab_patient *p)
{
  look_for_runtime (p);
  if (write_source (p))
    try_compilers (p);
  else
    cab_doctor_tell ("no", p->directory, "%s: make room", strerror (errno));
  measure_machine ();
  cab_doctor_sampling ();
}

static int
examine (struct cab_patient *p, bool only_model)
{
  char exe[PATH_MAX];
  ssize_t n = readlink ("/proc/self/exe", exe, sizeof exe - 1);
  exe[n > 0 ? n : 0] = 0;
  p->bin = xstrdup (exe);
  *strrchr (n > 0 ? p->bin : strcpy (p->bin, "/"), '/') = 0;
  p->source = concat (p->directory, "/f.c", NULL);
  p->binary = concat (p->directory, "/f", NULL);
  p->output = concat (p->directory, "/output", NULL);
  p->profile = concat (p->directory, "/profile", NULL);
  if (only_model)
    p->works = cab_doctor_model (p);
  else
    try_all (p);
  remove_tree (p->directory);
  free (p->bin);
  free (p->source);
  free (p->binary);
  free (p->output);
  free (p->profile);
  return p->works ? CAB_EXIT_GOOD : CAB_EXIT_FAILED;
}

int
cab_cmd_doctor (int argc, char **argv)
{
  struct cab_patient patient = { .directory = "/tmp/cabprof-XXXXXX" };
  bool only_model = false;
  const struct cab_argument options[] = {
    { "model", NULL,
      "measure what events cost on this machine, and whether analysing them in the program's "
      "threads or in an analysis thread is cheaper; nothing else",
      .flag = &only_model }
  };
  const struct cab_arguments arguments = {
    .subcommand = "doctor",
    .usage = "[--model]",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .about
    = "Try what this machine can do: compilers with the plugin, the runtime, room, sources of "
      "samples.\n"
      "The exit status is 0 if programs can be compiled with probes and profiled."
  };
  char **words;
  int status = cab_arguments_parse (&arguments, argc, argv, &words);
  if (status)
    return status < 0 ? CAB_EXIT_GOOD : status;
  if (*words)
    return cab_usage ("doctor", *words, "takes no arguments");
  if (mkdtemp (patient.directory))
    return examine (&patient, only_model);
  cab_say ("%s: %s: make /tmp writable", patient.directory, strerror (errno));
  return CAB_EXIT_FAILED;
}
