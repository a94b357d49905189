/* catalogue_builder.h: a catalogue under construction, as its reader sees it.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * For this room only; others build through catalogue.h. Unlike there, tasks may
 * be added to any workflow, carry labels and places, and have their predecessors
 * set after all are known. A task is named by its *position*: the order of
 * adding within its workflow. Finishing turns positions into task numbers.
 */
#ifndef BN_CATALOGUE_BUILDER_H
#define BN_CATALOGUE_BUILDER_H

#include "catalogue.h"
#include "input_error.h"

/* Keeps a copy of `text` as long as the catalogue lives. */
const char *bn_catalogue_builder_text (BnCatalogueBuilder *b, const char *text);

/* Indices, or BN_NONE. O(1). */
int32_t bn_catalogue_builder_find_model (const BnCatalogueBuilder *b, const char *name);
int32_t bn_catalogue_builder_find_workflow (const BnCatalogueBuilder *b, const char *name);

int64_t bn_catalogue_builder_model_bytes (const BnCatalogueBuilder *b, uint32_t model);

/* All names, in order of adding, NULL-terminated. Returns: (transfer container). */
char **bn_catalogue_builder_model_names (const BnCatalogueBuilder *b);
char **bn_catalogue_builder_workflow_names (const BnCatalogueBuilder *b);

void bn_catalogue_builder_state_runtime (BnCatalogueBuilder *b, uint32_t model, const char *gpu_type,
                                         BnDuration runtime_ns);

void bn_catalogue_builder_place_workflow (BnCatalogueBuilder *b, uint32_t workflow, BnPlace place);
void bn_catalogue_builder_set_deadline (BnCatalogueBuilder *b, uint32_t workflow, BnDeadlineKind kind, int64_t value);

/* `task` gives label, model, sizes, runtime and work; its neighbours are ignored.
 * Returns: its position. */
uint32_t bn_catalogue_builder_put_task (BnCatalogueBuilder *b, uint32_t workflow, const BnTaskSpec *task,
                                        BnPlace place);
/* Once a task. */
void bn_catalogue_builder_set_preds (BnCatalogueBuilder *b, uint32_t workflow, uint32_t position,
                                     const uint32_t *preds, uint32_t n_preds);

/* Frees a builder that is not finished. */
void bn_catalogue_builder_free (BnCatalogueBuilder *b);

#endif
