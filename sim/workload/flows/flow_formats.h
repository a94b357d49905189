/* flow_formats.h: formats of workflow files.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 *   dax        Pegasus, 2.0 to 3.4 (XML): <job>, in it <uses file= or name=, link=, size=>; <child>/<parent>;
 *              runtime= in seconds where there is one
 *   wfformat   WfCommons, 1.2 to 1.5 (JSON): workflow.jobs or workflow.tasks, or workflow.specification and
 *              workflow.execution; runtimes in seconds
 *   hyperflow  HyperFlow (JSON): processes, whose ins and outs are signals, by number or by name
 *   dot        Graphviz's language, what DAGs need of it: nodes with label, runtime (seconds) and size (bytes)
 *              attributes, edges, chains a -> b -> c; no ports and no HTML
 */
#ifndef BN_FLOW_FORMATS_H
#define BN_FLOW_FORMATS_H

#include "flow.h"

typedef struct BnFlowFormat
{
  const char *name, *summary;
  /* Whether the text looks like it. */
  gboolean (*detect) (const char *text);
  /* Fills the flow, which is not finished. `path` is for messages. FALSE with `error` set. */
  gboolean (*read) (BnFlow *flow, const char *text, gsize length, const char *path, GError **error);
} BnFlowFormat;

/* In the order in which they are tried, NULL-terminated. */
extern const BnFlowFormat *const bn_flow_formats[];

/* Reads a file, by its content unless `format` (NULL) names how; *ret_format, unless NULL, is how. NULL with `error`
 * set, FILE[:LINE]: …. Returns: (transfer full), finished. */
BnFlow *bn_flow_read (const char *path, const char *format, const char **ret_format, GError **error);

/* ---- for the formats ---- */

extern const BnFlowFormat bn_flow_dax, bn_flow_wfformat, bn_flow_hyperflow, bn_flow_dot;

/* Seconds, as a number has them, to nanoseconds; -1 for what is negative or no number. */
BnDuration bn_flow_seconds (double seconds);

#endif
