/* random_catalogue.h: a catalogue of random workflows, as options ask for it.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef BN_RANDOM_CATALOGUE_H
#define BN_RANDOM_CATALOGUE_H

#include <glib.h>
#include <stdint.h>

/* Options as they were given; strings are those of GOption, freed by bn_random_options_clear. */
typedef struct BnRandomOptions
{
  char *dag;                                  /* a shape's word; NULL: no catalogue is asked for */
  gint64 workflows;
  gint64 tasks, width, depth, arity;          /* BN_RANDOM_FREE: not given                       */
  gint64 models;                              /* of the catalogue; 0: tasks have none            */
  double edges, popularity;
  gboolean in;
  char *model_size, *runtime, *output_size;   /* quantities (quantity.h); NULL: not given        */
} BnRandomOptions;

#define BN_RANDOM_FREE G_MININT64

/* What holds where nothing is given. */
#define BN_RANDOM_OPTIONS_INIT \
  { .workflows = 10, .models = 10, .edges = 0.2, .popularity = 1, .tasks = BN_RANDOM_FREE, .width = BN_RANDOM_FREE, \
    .depth = BN_RANDOM_FREE, .arity = BN_RANDOM_FREE }

/* Entries of an array of GOptionEntry. */
#define BN_RANDOM_ENTRIES(o) \
  { "dag", 0, 0, G_OPTION_ARG_STRING, &(o).dag, "make workflows, too: layered, fork-join, chain or tree", "SHAPE" }, \
  { "workflows", 0, 0, G_OPTION_ARG_INT64, &(o).workflows, "so many (default: 10)", "N" }, \
  { "tasks", 0, 0, G_OPTION_ARG_INT64, &(o).tasks, "of each workflow", "N" }, \
  { "width", 0, 0, G_OPTION_ARG_INT64, &(o).width, "most tasks beside each other", "N" }, \
  { "depth", 0, 0, G_OPTION_ARG_INT64, &(o).depth, "most tasks after each other", "N" }, \
  { "edges", 0, 0, G_OPTION_ARG_DOUBLE, &(o).edges, "layered: share of edges beside those needed (default: 0.2)", \
    "SHARE" }, \
  { "arity", 0, 0, G_OPTION_ARG_INT64, &(o).arity, "tree: most children of a task (default: 2)", "N" }, \
  { "in", 0, 0, G_OPTION_ARG_NONE, &(o).in, "tree: from the leaves to the root", NULL }, \
  { "models", 0, 0, G_OPTION_ARG_INT64, &(o).models, "of which each task has one; 0: none (default: 10)", "N" }, \
  { "model-popularity", 0, 0, G_OPTION_ARG_DOUBLE, &(o).popularity, \
    "a task has the i-th model with weight 1/i^S (default: 1)", "S" }, \
  { "model-size", 0, 0, G_OPTION_ARG_STRING, &(o).model_size, "of each model (default: 1GB..6GB)", "QUANTITY" }, \
  { "runtime", 0, 0, G_OPTION_ARG_STRING, &(o).runtime, "of each task (default: 50ms..1s)", "QUANTITY" }, \
  { "output-size", 0, 0, G_OPTION_ARG_STRING, &(o).output_size, \
    "of each task, and of what clients send (default: 1kB..1MB)", "QUANTITY" }

/* Its text, `command` in its head as what made it. The same options and seed give the same bytes on every machine;
 * shapes, models, runtimes and sizes have random streams of their own. NULL with `error` set, which names the option.
 * Returns: (transfer full). */
char *bn_random_catalogue (const BnRandomOptions *options, uint64_t seed, const char *command, GError **error);

/* Whether any option but `dag` differs from BN_RANDOM_OPTIONS_INIT. */
gboolean bn_random_options_given (const BnRandomOptions *options);

void bn_random_options_clear (BnRandomOptions *options);

#endif
