/* flow.h: a workflow of somebody else's file: tasks, files, and what follows from them.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * One reader a format (flow_formats.h) adds tasks by id, the files that they use and edges that are stated;
 * finishing makes of them one DAG. An edge is stated, or lies in a file that one task makes and another uses:
 * both kinds count, each pair once. A file may have several producers: whoever uses it needs all of them.
 * What a file says of itself (counts, a makespan) is not read. Of runtimes and sizes that it does not state
 * nothing is made up here: they are -1.
 */
#ifndef BN_FLOW_H
#define BN_FLOW_H

#include <glib.h>

#include "bn.h"
#include "input_error.h"

#define BN_FLOW_MAX_TASKS (1u << 20)

/* Of those that are stated and those that lie in files, each pair counted as often as it occurs: 128 MiB of them. */
#define BN_FLOW_MAX_EDGES (1u << 24)

typedef struct BnFlowTask
{
  char *id;               /* unique; that of the file, or the position          */
  char *name;             /* what it runs: several tasks may have the same      */
  BnDuration runtime_ns;  /* -1: not stated                                     */
  uint32_t line;          /* where it begins; 0: the format has no lines        */
  /* valid when finished */
  GArray *preds, *succs;  /* of guint, rising                                   */
  int64_t input_bytes;    /* of files that no task makes and it uses            */
  int64_t output_bytes;   /* of files that it makes and others use              */
  guint n_unsized_inputs, n_unsized_outputs;  /* files of either kind without a size, left out there */
} BnFlowTask;

typedef struct BnFlowFile
{
  char *name;
  int64_t bytes;          /* -1: not stated  */
  GArray *makers, *users; /* of guint, rising */
} BnFlowFile;

typedef struct BnFlow
{
  char *name;             /* of the workflow; of the file without one           */
  GPtrArray *tasks;       /* of BnFlowTask: at least one when finished           */
  GPtrArray *files;       /* of BnFlowFile, in the order in which they were met */
  /* valid when finished */
  guint n_edges;
  guint n_file_edges;     /* of them, those that a file lies behind             */
  guint *topological;     /* [tasks->len] */
  /* while it is read */
  GHashTable *by_id, *by_file; /* to position + 1 */
  GArray *stated;         /* of pairs of guint: parent, child */
} BnFlow;

BnFlow *bn_flow_new (const char *name);
void bn_flow_free (BnFlow *flow);

/* In place of the name that it has. */
void bn_flow_set_name (BnFlow *flow, const char *name);

/* Returns: its position; G_MAXUINT with `error` set where the id is taken, or there are too many. */
guint bn_flow_add_task (BnFlow *flow, const char *id, const char *name, BnDuration runtime_ns, BnPlace place,
                        GError **error);

/* By its id. Returns: its position, or G_MAXUINT. */
guint bn_flow_find (const BnFlow *flow, const char *id);

/* Task `task` makes the file, or uses it. bytes -1: not stated; the greatest of several statements counts. */
void bn_flow_use (BnFlow *flow, guint task, const char *file, int64_t bytes, gboolean makes);

/* `child` needs what `parent` does. */
void bn_flow_edge (BnFlow *flow, guint parent, guint child);

/* The i-th edge that was stated, of flow->stated->len, before it is finished. */
void bn_flow_stated_edge (const BnFlow *flow, guint i, guint *parent, guint *child);

/* FALSE with `error` set: no task, more than BN_FLOW_MAX_EDGES edges, or a cycle, whose tasks are named. */
gboolean bn_flow_finish (BnFlow *flow, const char *path, GError **error);

/* What a finished one comes to, missing runtimes counted as `missing_ns`. */
typedef struct BnFlowFigures
{
  guint n_roots, n_leaves;
  guint depth;               /* tasks on the longest chain                        */
  guint width;               /* most tasks that have the same longest chain to them */
  guint n_timed;             /* tasks with a runtime                              */
  BnDuration work_ns;        /* all runtimes                                      */
  BnDuration critical_ns;    /* along the chain that takes longest: no cluster with GPUs of speed 1 is quicker */
  guint n_sized;             /* files with a size                                 */
  int64_t files_bytes;       /* of them                                           */
} BnFlowFigures;
BnFlowFigures bn_flow_figures (const BnFlow *flow, BnDuration missing_ns);

#endif
