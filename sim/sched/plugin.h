/* plugin.h: a plug-in's scheduler as one of the program's own.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * A plug-in knows only binnacle/scheduler.h. What it asks is answered from the view and the cost
 * model that every scheduler gets; what no scheduler may know it has no way to ask for.
 */
#ifndef BN_SCHED_PLUGIN_H
#define BN_SCHED_PLUGIN_H

#include "binnacle/scheduler.h"
#include "scheduler.h"

/* What is wrong with the table, half a sentence about it in static memory, or NULL: nothing. Its name, whether it is
 * free, and its ABI are the caller's business. */
const char *bn_plugin_fault (const BnPluginScheduler *plugin);

/* `plugin` has no fault and outlives the table. Returns: (transfer full), to be freed with the following. */
BnScheduler *bn_plugin_scheduler_new (const BnPluginScheduler *plugin);
void bn_plugin_scheduler_free (BnScheduler *scheduler);

#endif
