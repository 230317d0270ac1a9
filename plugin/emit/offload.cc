/* offload.cc - streams the stub where a unit also has code for accelerators.
   SPDX-License-Identifier: GPL-3.0-or-later

   GCC streams a unit with "omp target" twice, for the accelerators' compilers and then for the
   link, and before GCC 16 top-level assembly goes only with the first stream.  There the stub is
   of no use, and the second stream would lack it. */
#include "plugin/emit/offload.h"

#if CAB_ASSEMBLY_STREAMED_ONCE
/* As in lto-streamer.h, which GCC 11 installs without its own dependencies. */
extern bool asm_nodes_output;       /* no more top-level assembler is to be streamed */
extern bool lto_stream_offload_p;   /* this is the stream for accelerators */

static void
choose_stream (void)
{
  asm_nodes_output = lto_stream_offload_p;
}
#else
static void
choose_stream (void)
{
}
#endif

static const pass_data offload_pass_data =
{
  IPA_PASS, "cabprof_offload", OPTGROUP_NONE, TV_NONE, 0, 0, 0, 0, 0
};

class offload_pass : public ipa_opt_pass_d
{
public:
  offload_pass ()
      : ipa_opt_pass_d (offload_pass_data, g, NULL, choose_stream, NULL, NULL, NULL, NULL, 0, NULL,
			NULL)
  {
  }
  bool gate (function *) final override { return !in_lto_p && g->have_offload; }
  unsigned int execute (function *) final override { return 0; }
};

opt_pass *
cab_offload_pass (void)
{
  return new offload_pass;
}
