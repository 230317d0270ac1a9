/* ctx.h - the context of threads where no module of the executable brings one.
 *
 * Model:      a thread-local struct cab_ctx of the runtime's own, initial-exec: in all threads it
 *             has the same offset from the thread pointer.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_CTX_H
#define CAB_RT_CTX_H

#include <stdint.h>

/* Return the offset of that context from the thread pointer. */
int64_t cab_ctx_fallback (void);

#endif
