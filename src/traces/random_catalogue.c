/* random_catalogue.c: a catalogue of random workflows, as options ask for it.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "random_catalogue.h"

#include <string.h>

#include "cli.h"
#include "flow_random.h"
#include "flow_text.h"
#include "keyfile.h"
#include "quantity.h"
#include "units.h"
#include "zipf.h"

#define MAX_WORKFLOWS 100000
#define MAX_MODELS 100000

/* The options, read. */
typedef struct Request
{
  BnDag dag;
  uint32_t n_workflows, n_models;
  double popularity;
  BnQuantity model_size, runtime, output_size;
} Request;

/* One random stream for each that is drawn: other runtimes leave the shapes as they were. */
typedef struct Streams
{
  BnRng shapes, models, runtimes, sizes;
} Streams;

/* ---- options ---- */

static gboolean
read_count (const char *option, gint64 value, uint32_t least, uint32_t most, uint32_t *ret, GError **error)
{
  if (value >= least && value <= most)
    *ret = (uint32_t) value;
  else if (value != BN_RANDOM_FREE)
    g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_USAGE, "--%s %" G_GINT64_FORMAT ": give a number from %u to %u",
                 option, value, least, most);
  return value == BN_RANDOM_FREE || (value >= least && value <= most);
}

static gboolean
read_share (const char *option, double value, double most, double *ret, GError **error)
{
  *ret = value;
  if (value >= 0 && value <= most)
    return TRUE;
  g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_USAGE, "--%s: give a number from 0 to %d", option, (int) most);
  return FALSE;
}

static gboolean
read_quantity (const char *option, const char *text, BnQuantityValue value, BnQuantity *ret, GError **error)
{
  if (bn_quantity_parse (text, value, ret, error))
    return TRUE;
  g_prefix_error (error, "--%s: ", option);
  return FALSE;
}

static gboolean
read_shape (const BnRandomOptions *o, BnDag *dag, GError **error)
{
  int shape = 0;

  while (bn_dag_shapes[shape] != NULL && strcmp (bn_dag_shapes[shape], o->dag) != 0)
    shape++;
  *dag = (BnDag) { .shape = (BnDagShape) shape, .in = o->in, .arity = 2 };
  g_autofree char *hint = bn_input_hint (o->dag, bn_dag_shapes);
  if (bn_dag_shapes[shape] == NULL)
    g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_USAGE,
                 "--dag %s: give layered, fork-join, chain or tree%s", o->dag, hint);
  else if (dag->shape != BN_DAG_TREE && (o->in || o->arity != BN_RANDOM_FREE))
    g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_USAGE, "--%s: is for --dag tree", o->in ? "in" : "arity");
  else
    return read_count ("arity", o->arity, 2, BN_DAG_MAX_WIDTH, &dag->arity, error);
  return FALSE;
}

static gboolean
read_options (const BnRandomOptions *o, Request *r, GError **error)
{
  const char *model_size = o->model_size != NULL ? o->model_size : "1GB..6GB";
  const char *runtime = o->runtime != NULL ? o->runtime : "50ms..1s";
  const char *output_size = o->output_size != NULL ? o->output_size : "1kB..1MB";

  return read_shape (o, &r->dag, error)
         && read_count ("workflows", o->workflows, 1, MAX_WORKFLOWS, &r->n_workflows, error)
         && read_count ("tasks", o->tasks, 1, BN_FLOW_MAX_TASKS, &r->dag.tasks, error)
         && read_count ("width", o->width, 1, BN_DAG_MAX_WIDTH, &r->dag.width, error)
         && read_count ("depth", o->depth, 1, BN_FLOW_MAX_TASKS, &r->dag.depth, error)
         && read_count ("models", o->models, 0, MAX_MODELS, &r->n_models, error)
         && read_share ("edges", o->edges, 1, &r->dag.density, error)
         && read_share ("model-popularity", o->popularity, BN_ZIPF_MAX_EXPONENT, &r->popularity, error)
         && read_quantity ("model-size", model_size, bn_parse_size, &r->model_size, error)
         && read_quantity ("runtime", runtime, bn_parse_duration, &r->runtime, error)
         && read_quantity ("output-size", output_size, bn_parse_size, &r->output_size, error);
}

gboolean
bn_random_options_given (const BnRandomOptions *o)
{
  const BnRandomOptions usual = BN_RANDOM_OPTIONS_INIT;

  return o->workflows != usual.workflows || o->tasks != usual.tasks || o->width != usual.width
         || o->depth != usual.depth || o->arity != usual.arity || o->in
         || o->models != usual.models || o->edges < usual.edges || o->edges > usual.edges
         || o->popularity < usual.popularity || o->popularity > usual.popularity || o->model_size != NULL
         || o->runtime != NULL || o->output_size != NULL;
}

void
bn_random_options_clear (BnRandomOptions *options)
{
  g_free (options->dag);
  g_free (options->model_size);
  g_free (options->runtime);
  g_free (options->output_size);
}

/* ---- text ---- */

static void
append_models (GString *text, const Request *r, BnRng *sizes)
{
  for (uint32_t m = 0; m < r->n_models; m++)
    {
      g_autofree char *size = bn_format_size (bn_quantity_draw (&r->model_size, sizes));
      g_string_append_printf (text, "\n[model m%u]\nsize = %s\n", m + 1, size);
    }
}

/* Sums of what Zipf's law gives to each model, for bn_rng_weighted. Returns: (transfer full). */
static double *
cumulative_popularity (const Request *r)
{
  double *weights = g_new (double, MAX (r->n_models, 1));

  bn_zipf_weights (r->popularity, r->n_models, weights);
  for (uint32_t m = 1; m < r->n_models; m++)
    weights[m] += weights[m - 1];
  return weights;
}

/* A task's name is that of its model. */
static void
fill_tasks (BnFlow *flow, const Request *r, const double *cumulative, Streams *streams)
{
  for (guint t = 0; t < flow->tasks->len; t++)
    {
      BnFlowTask *task = g_ptr_array_index (flow->tasks, t);
      if (r->n_models > 0)
        {
          g_free (task->name);
          task->name = g_strdup_printf ("m%u", bn_rng_weighted (&streams->models, cumulative, r->n_models) + 1);
        }
      task->runtime_ns = bn_quantity_draw (&r->runtime, &streams->runtimes);
      task->output_bytes = bn_quantity_draw (&r->output_size, &streams->sizes);
      if (task->preds->len == 0)
        task->input_bytes = bn_quantity_draw (&r->output_size, &streams->sizes);
    }
}

static gboolean
append_workflows (GString *text, const Request *r, Streams *streams, GError **error)
{
  const BnFlowRules rules = { .runtime_ns = -1, .size_bytes = -1, .scale = 1,
                              .model = r->n_models > 0 ? "by-name" : NULL };
  g_autofree double *cumulative = cumulative_popularity (r);

  for (uint32_t w = 0; w < r->n_workflows; w++)
    {
      g_autofree char *name = g_strdup_printf ("w%u", w + 1);
      BnFlow *flow = bn_flow_random (&r->dag, name, &streams->shapes, error);
      if (flow == NULL)
        return FALSE;
      fill_tasks (flow, r, cumulative, streams);
      bn_flow_append_workflow (text, flow, &rules);
      bn_flow_free (flow);
      if (text->len > BN_KEY_FILE_MAX_BYTES)
        {
          g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_USAGE,
                       "a catalogue of %u MiB, the most, holds %u of the %u workflows; ask for fewer, or for fewer "
                       "tasks and edges", BN_KEY_FILE_MAX_BYTES >> 20, w, r->n_workflows);
          return FALSE;
        }
    }
  return TRUE;
}

char *
bn_random_catalogue (const BnRandomOptions *options, uint64_t seed, const char *command, GError **error)
{
  Request r = { 0 };
  Streams streams;
  BnRng model_sizes;

  if (!read_options (options, &r, error))
    return NULL;
  bn_rng_init (&streams.shapes, seed, "dag-shapes");
  bn_rng_init (&streams.models, seed, "dag-models");
  bn_rng_init (&streams.runtimes, seed, "dag-runtimes");
  bn_rng_init (&streams.sizes, seed, "dag-sizes");
  bn_rng_init (&model_sizes, seed, "dag-model-sizes");
  GString *text = g_string_new (NULL);
  g_string_append_printf (text, "# Made by: %s\n", command);
  append_models (text, &r, &model_sizes);
  if (append_workflows (text, &r, &streams, error))
    return g_string_free (text, FALSE);
  g_string_free (text, TRUE);
  return NULL;
}
