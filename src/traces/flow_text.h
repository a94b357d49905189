/* flow_text.h: a workflow of another program as text: described, drawn, and as a catalogue.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef BN_FLOW_TEXT_H
#define BN_FLOW_TEXT_H

#include "flow.h"

/* How what a file does not state is filled. */
typedef struct BnFlowRules
{
  BnDuration runtime_ns;  /* of tasks; -1: there is no rule        */
  int64_t size_bytes;     /* of files; -1: there is no rule        */
  double scale;           /* by which runtimes that are stated have been multiplied, see bn_flow_scale */
  const char *model;      /* "shared", "by-name"; NULL: no models  */
  int64_t model_bytes;
} BnFlowRules;

/* Multiplies the runtimes that are stated. */
void bn_flow_scale (BnFlow *flow, double scale);

/* Lines `what  value`. Returns: (transfer full). */
char *bn_flow_description (const BnFlow *flow, const char *format, const BnFlowRules *rules);

/* A digraph that this program reads back as the same tasks and edges, with what the rules fill: runtimes, and sizes of
 * what a task hands on. Returns: (transfer full). */
char *bn_flow_dot_text (const BnFlow *flow, const BnFlowRules *rules);

/* A catalogue of the one workflow, with what it was made from and by which rules in its head. NULL with `error` set
 * where something is missing and no rule fills it. Returns: (transfer full). */
char *bn_flow_catalogue (const BnFlow *flow, const char *path, const char *format, const BnFlowRules *rules,
                         GError **error);

/* Its sections of a catalogue but for the models: one for the workflow, one for each task. Nothing is missing, or the
 * rules fill it. */
void bn_flow_append_workflow (GString *text, const BnFlow *flow, const BnFlowRules *rules);

#endif
