/* workflow_map.h: which workflow a row of a trace becomes, by rules on one column.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef BN_WORKFLOW_MAP_H
#define BN_WORKFLOW_MAP_H

#include "input_error.h"
#include "workflow.h"

typedef struct BnWorkflowMap BnWorkflowMap;

/* Reads rules separated by commas, each PATTERN:WORKFLOW. PATTERN is a text that the column must
 * equal, <=NUMBER for numbers up to that, or * for all; the last colon separates. `catalogue` is
 * borrowed.
 * Returns: (transfer full), or NULL with `error` set, without a place. */
BnWorkflowMap *bn_workflow_map_parse (const char *text, const BnCatalogue *catalogue, GError **error);
void bn_workflow_map_free (BnWorkflowMap *map);

/* The workflow of the first rule that fits, or BN_NONE. O(rules). */
int32_t bn_workflow_map_find (const BnWorkflowMap *map, const char *value);

#endif
