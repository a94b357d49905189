/* catalogue.h: reads models and workflows from key files.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Format (one file may hold any number of sections, in any order):
 *
 *   [model OPT]
 *   size = 5.72GB
 *   # optional, for backends that compute: burn (the default), mlp, conv, lstm, transformer
 *   layers = transformer
 *   # optional, likewise: of its weights; else they follow from its name
 *   weights-seed = 7
 *   # optional: stated for GPU type a10
 *   runtime@a10 = 210ms
 *
 *   [workflow translation]
 *   # optional: a time, or a multiple of the lower bound
 *   deadline = 3x
 *
 *   [task translation/0]
 *   # or none, the default
 *   model = OPT
 *   # labels of predecessors; empty or left out for an entry task
 *   after = 1 2
 *   input = 1kB
 *   output = 2kB
 *   runtime = 561ms
 *
 * Refused with FILE:LINE and what to do: an unknown section or key (the nearest
 * known one is named), a missing key, a bad unit, a negative or absurd number,
 * a duplicate model, workflow, task or key, an unknown model or predecessor, a
 * task of an unknown workflow, a workflow without tasks or with more than
 * BN_WORKFLOW_MAX_TASKS, a cycle (its tasks are
 * named), and a model larger than `largest_gpu_bytes`.
 */
#ifndef BN_CATALOGUE_H
#define BN_CATALOGUE_H

#include <gio/gio.h>

#include "workflow.h"

/* Reads `paths` in order into one catalogue. A model larger than
 * `largest_gpu_bytes` is refused if a workflow uses it; INT64_MAX accepts all.
 * Returns: (transfer full), or NULL with `error` set. */
BnCatalogue *bn_catalogue_read (const char *const *paths, int64_t largest_gpu_bytes, GError **error);

/* The same from memory; `name` stands for the file in messages. For tests and
 * fuzzing. */
BnCatalogue *bn_catalogue_parse (const char *text, gsize length, const char *name, int64_t largest_gpu_bytes,
                                 GError **error);

void bn_catalogue_free (BnCatalogue *catalogue);

/* What becomes of a catalogue on a smaller machine, or on one that was measured. */
typedef struct BnCatalogueChange
{
  int64_t scale_ppm;         /* model sizes, inputs, outputs, runtimes, stated ones too, and deadlines are
                                multiplied by it and rounded half up, sizes and runtimes above 0 to 1 B or
                                1 ns at least; BN_PPM_ONE: as they are                       */
  const BnDuration *runtime_ns; /* [n_tasks] by first_task + task, or NULL. Not below 0: takes the place
                                of the scaled profile, and no runtime is stated for its model any more;
                                work_ns stays that of the catalogue                          */
} BnCatalogueChange;

/* A catalogue with the same names, numbers and edges. Returns: (transfer full). */
BnCatalogue *bn_catalogue_changed (const BnCatalogue *catalogue, const BnCatalogueChange *change);

/* `value` of a scale, as above. */
int64_t bn_catalogue_scaled (int64_t value, int64_t scale_ppm);

/* Words for BnLayers, NULL-terminated. */
extern const char *const bn_layers_names[];

/* Indices by name, or BN_NONE. O(n). */
int32_t bn_catalogue_find_workflow (const BnCatalogue *catalogue, const char *name);
int32_t bn_catalogue_find_model (const BnCatalogue *catalogue, const char *name);

/* ---- building one in code: tests, generators ---- */

/* A catalogue under construction. Adding is in any order as long as a model
 * comes before a task that uses it, and a workflow before its tasks. */
typedef struct BnCatalogueBuilder BnCatalogueBuilder;

BnCatalogueBuilder *bn_catalogue_builder_new (void);

/* Returns: the model's index. The name must be new (asserted). */
uint32_t bn_catalogue_builder_add_model (BnCatalogueBuilder *b, const char *name, int64_t size_bytes);
/* Else burn, and a hash of its name. */
void bn_catalogue_builder_set_layers (BnCatalogueBuilder *b, uint32_t model, BnLayers layers);
void bn_catalogue_builder_set_weights_seed (BnCatalogueBuilder *b, uint32_t model, uint64_t seed);
uint32_t bn_catalogue_builder_add_workflow (BnCatalogueBuilder *b, const char *name);

/* Adds a task to the workflow added last. `preds` are numbers of tasks in order
 * of adding; they may be added later. Labels are the order of adding. */
void bn_catalogue_builder_add_task (BnCatalogueBuilder *b, int32_t model, int64_t input_bytes, int64_t output_bytes,
                                    BnDuration runtime_ns, const uint32_t *preds, uint32_t n_preds);

/* Takes the builder. NULL with `error` set for a cycle, a predecessor that does
 * not exist, or too many tasks. Returns: (transfer full). */
BnCatalogue *bn_catalogue_builder_finish (BnCatalogueBuilder *b, GError **error);

#endif
