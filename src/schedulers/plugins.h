/* plugins.h: schedulers that are not the program's own: from shared objects, and in other processes.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * binnacle/scheduler.h is what their authors see, plugin.h what becomes of their tables.
 */
#ifndef BN_PLUGINS_H
#define BN_PLUGINS_H

#include <glib.h>

#include "scheduler.h"

typedef struct BnPlugins BnPlugins;

BnPlugins *bn_plugins_new (void);
/* Also closes the objects: whatever uses their schedulers must be gone. */
void bn_plugins_free (BnPlugins *plugins);

/* Opens the object; its bytes go into `checksum`. FALSE with `error` set, "FILE: …": it cannot be read, is no shared
 * object or not a whole one, has no table, one of another interface (both numbers are named) or with a fault, or one
 * whose name is taken. */
gboolean bn_plugins_add (BnPlugins *plugins, const char *path, GChecksum *checksum, GError **error);

/* Adds the scheduler exec:COMMAND unless it is there (exec_scheduler.h). FALSE with `error` set. */
gboolean bn_plugins_add_exec (BnPlugins *plugins, const char *name, char *(*path_of) (const char *path, gpointer data),
                              gpointer data, GError **error);

/* In the order in which they were added, NULL-terminated. Returns: (transfer none), until the next one is added. */
const BnScheduler *const *bn_plugins_schedulers (const BnPlugins *plugins);

#endif
