/* root.h - trees that outlive a garbage collection.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_ROOT_H
#define CAB_ROOT_H

#include "plugin/emit/plugin.h"

/* Keep T alive across collections; return T. */
extern tree cab_root (tree t);
/* Return a hidden variable NAME of TYPE, which other code of the program or library defines; it is
   kept. */
extern tree cab_root_hidden (const char *name, tree type);
/* The callback for PLUGIN_GGC_MARKING. */
extern void cab_root_mark (void *gcc_data, void *user_data);

#endif
