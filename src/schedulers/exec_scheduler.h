/* exec_scheduler.h: a scheduler in any language, as a child process.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * `exec:COMMAND` in place of a scheduler's name. The child is told, a JSON object a line, of the cluster, then of
 * each job that arrives and each task that is ready, with what has changed of the rows that the deciding worker sees,
 * and answers with placements. doc/exec-protocol.md is the manual of the messages. A child lives as long as one run.
 */
#ifndef BN_EXEC_SCHEDULER_H
#define BN_EXEC_SCHEDULER_H

#include <glib.h>

#include "scheduler.h"

#define BN_EXEC_PREFIX "exec:"

/* `name` is exec:COMMAND, COMMAND split as a shell would; a first word with a slash is made a path by
 * `path_of`. NULL with `error` set where it is no command. Returns: (transfer full). */
BnScheduler *bn_exec_scheduler_new (const char *name, char *(*path_of) (const char *path, gpointer data), gpointer data,
                                    GError **error);
void bn_exec_scheduler_free (BnScheduler *scheduler);

/* Whether it is one of these: whose traits nobody knows before it is asked. */
gboolean bn_is_exec_scheduler (const BnScheduler *scheduler);

#endif
