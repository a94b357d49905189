/* catalogue_builder.c: from models, workflows and tasks to a catalogue.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "catalogue_builder.h"

#include <string.h>

#include "catalogue_graph.h"
#include "rng.h"
#include "units.h"

/* in the order of BnLayers */
const char *const bn_layers_names[] = { "burn", "mlp", "conv", "lstm", "transformer", NULL };

typedef struct BuilderModel
{
  const char *name;
  int64_t size_bytes;
  BnLayers layers;
  uint64_t seed;
  GArray *stated;  /* BnStatedRuntime; NULL: none */
} BuilderModel;

typedef struct BuilderWorkflow
{
  const char *name;
  BnPlace place;
  BnDeadlineKind deadline_kind;
  int64_t deadline;
  GArray *tasks;  /* BnGraphTask */
} BuilderWorkflow;

struct BnCatalogueBuilder
{
  GStringChunk *strings;  /* handed on to the catalogue */
  GArray *models;
  GArray *workflows;
  GArray *preds;          /* positions of all tasks' predecessors */
  GHashTable *model_index;
  GHashTable *workflow_index;
  uint32_t n_tasks;
};

/* The catalogue and the memory behind it. */
typedef struct OwnedCatalogue
{
  BnCatalogue catalogue;
  GStringChunk *strings;
  BnModel *models;
  BnStatedRuntime *stated;
  BnWorkflow *workflows;
  BnTaskSpec *tasks;
  uint32_t *numbers;  /* preds, succs, entries and topological orders */
} OwnedCatalogue;

BnCatalogueBuilder *
bn_catalogue_builder_new (void)
{
  BnCatalogueBuilder *b = g_new0 (BnCatalogueBuilder, 1);
  b->strings = g_string_chunk_new (4096);
  b->models = g_array_new (FALSE, FALSE, sizeof (BuilderModel));
  b->workflows = g_array_new (FALSE, FALSE, sizeof (BuilderWorkflow));
  b->preds = g_array_new (TRUE, FALSE, sizeof (uint32_t));
  b->model_index = g_hash_table_new (g_str_hash, g_str_equal);
  b->workflow_index = g_hash_table_new (g_str_hash, g_str_equal);
  return b;
}

void
bn_catalogue_builder_free (BnCatalogueBuilder *b)
{
  if (b == NULL)
    return;
  for (guint i = 0; i < b->models->len; i++)
    if (g_array_index (b->models, BuilderModel, i).stated != NULL)
      g_array_unref (g_array_index (b->models, BuilderModel, i).stated);
  for (guint i = 0; i < b->workflows->len; i++)
    g_array_unref (g_array_index (b->workflows, BuilderWorkflow, i).tasks);
  g_array_unref (b->models);
  g_array_unref (b->workflows);
  g_array_unref (b->preds);
  g_hash_table_unref (b->model_index);
  g_hash_table_unref (b->workflow_index);
  if (b->strings != NULL)
    g_string_chunk_free (b->strings);
  g_free (b);
}

static BuilderWorkflow *
workflow_at (BnCatalogueBuilder *b, uint32_t workflow)
{
  g_assert (workflow < b->workflows->len);
  return &g_array_index (b->workflows, BuilderWorkflow, workflow);
}

/* The index of `name`, which is stored as index + 1. */
static int32_t
find (GHashTable *index, const char *name)
{
  return (int32_t) GPOINTER_TO_UINT (g_hash_table_lookup (index, name)) - 1;
}

static void
remember (GHashTable *index, const char *name, uint32_t i)
{
  g_assert (find (index, name) == BN_NONE);
  g_hash_table_insert (index, (gpointer) name, GUINT_TO_POINTER (i + 1));
}

const char *
bn_catalogue_builder_text (BnCatalogueBuilder *b, const char *text)
{
  return g_string_chunk_insert_const (b->strings, text);
}

int32_t
bn_catalogue_builder_find_model (const BnCatalogueBuilder *b, const char *name)
{
  return find (b->model_index, name);
}

int32_t
bn_catalogue_builder_find_workflow (const BnCatalogueBuilder *b, const char *name)
{
  return find (b->workflow_index, name);
}

int64_t
bn_catalogue_builder_model_bytes (const BnCatalogueBuilder *b, uint32_t model)
{
  g_assert (model < b->models->len);
  return g_array_index (b->models, BuilderModel, model).size_bytes;
}

char **
bn_catalogue_builder_model_names (const BnCatalogueBuilder *b)
{
  char **names = g_new0 (char *, b->models->len + 1);
  for (guint i = 0; i < b->models->len; i++)
    names[i] = (char *) g_array_index (b->models, BuilderModel, i).name;
  return names;
}

char **
bn_catalogue_builder_workflow_names (const BnCatalogueBuilder *b)
{
  char **names = g_new0 (char *, b->workflows->len + 1);
  for (guint i = 0; i < b->workflows->len; i++)
    names[i] = (char *) g_array_index (b->workflows, BuilderWorkflow, i).name;
  return names;
}

uint32_t
bn_catalogue_builder_add_model (BnCatalogueBuilder *b, const char *name, int64_t size_bytes)
{
  BuilderModel model = { .name = bn_catalogue_builder_text (b, name), .size_bytes = size_bytes };
  BnRng rng;
  g_assert (size_bytes >= 0);
  bn_rng_init (&rng, 0, model.name);
  model.seed = bn_rng_next (&rng);
  remember (b->model_index, model.name, b->models->len);
  g_array_append_val (b->models, model);
  return b->models->len - 1;
}

void
bn_catalogue_builder_set_layers (BnCatalogueBuilder *b, uint32_t model, BnLayers layers)
{
  g_assert (model < b->models->len);
  g_array_index (b->models, BuilderModel, model).layers = layers;
}

void
bn_catalogue_builder_set_weights_seed (BnCatalogueBuilder *b, uint32_t model, uint64_t seed)
{
  g_assert (model < b->models->len);
  g_array_index (b->models, BuilderModel, model).seed = seed;
}

void
bn_catalogue_builder_state_runtime (BnCatalogueBuilder *b, uint32_t model, const char *gpu_type,
                                    BnDuration runtime_ns)
{
  g_assert (model < b->models->len);
  BuilderModel *m = &g_array_index (b->models, BuilderModel, model);
  BnStatedRuntime stated = { .gpu_type = bn_catalogue_builder_text (b, gpu_type), .runtime_ns = runtime_ns };
  if (m->stated == NULL)
    m->stated = g_array_new (FALSE, FALSE, sizeof (BnStatedRuntime));
  g_array_append_val (m->stated, stated);
}

uint32_t
bn_catalogue_builder_add_workflow (BnCatalogueBuilder *b, const char *name)
{
  BuilderWorkflow workflow = { .name = bn_catalogue_builder_text (b, name) };
  workflow.tasks = g_array_new (TRUE, FALSE, sizeof (BnGraphTask));
  remember (b->workflow_index, workflow.name, b->workflows->len);
  g_array_append_val (b->workflows, workflow);
  return b->workflows->len - 1;
}

void
bn_catalogue_builder_place_workflow (BnCatalogueBuilder *b, uint32_t workflow, BnPlace place)
{
  if (place.file != NULL)
    place.file = bn_catalogue_builder_text (b, place.file);
  workflow_at (b, workflow)->place = place;
}

void
bn_catalogue_builder_set_deadline (BnCatalogueBuilder *b, uint32_t workflow, BnDeadlineKind kind, int64_t value)
{
  BuilderWorkflow *w = workflow_at (b, workflow);
  w->deadline_kind = kind;
  w->deadline = value;
}

uint32_t
bn_catalogue_builder_put_task (BnCatalogueBuilder *b, uint32_t workflow, const BnTaskSpec *task, BnPlace place)
{
  BuilderWorkflow *w = workflow_at (b, workflow);
  g_assert (task->model >= BN_NONE && task->model < (int64_t) b->models->len);
  g_assert (task->input_bytes >= 0 && task->output_bytes >= 0 && task->runtime_ns >= 0);
  BnGraphTask t = { .spec = *task, .place = place };
  t.spec.label = bn_catalogue_builder_text (b, task->label);
  t.spec.n_preds = t.spec.n_succs = 0;
  if (place.file != NULL)
    t.place.file = bn_catalogue_builder_text (b, place.file);
  g_array_append_val (w->tasks, t);
  b->n_tasks++;
  return w->tasks->len - 1;
}

void
bn_catalogue_builder_set_preds (BnCatalogueBuilder *b, uint32_t workflow, uint32_t position, const uint32_t *preds,
                                uint32_t n_preds)
{
  GArray *tasks = workflow_at (b, workflow)->tasks;
  g_assert (position < tasks->len);
  BnGraphTask *t = &g_array_index (tasks, BnGraphTask, position);
  g_assert (t->spec.n_preds == 0);
  t->first_pred = b->preds->len;
  t->spec.n_preds = n_preds;
  if (n_preds > 0)
    g_array_append_vals (b->preds, preds, n_preds);
}

void
bn_catalogue_builder_add_task (BnCatalogueBuilder *b, int32_t model, int64_t input_bytes, int64_t output_bytes,
                               BnDuration runtime_ns, const uint32_t *preds, uint32_t n_preds)
{
  g_assert (b->workflows->len > 0);
  uint32_t workflow = b->workflows->len - 1;
  char label[16];
  g_snprintf (label, sizeof label, "%u", workflow_at (b, workflow)->tasks->len);
  BnTaskSpec task = {
    .label = label,
    .model = model,
    .input_bytes = input_bytes,
    .output_bytes = output_bytes,
    .runtime_ns = runtime_ns,
    .work_ns = runtime_ns,
  };
  uint32_t position = bn_catalogue_builder_put_task (b, workflow, &task, (BnPlace) { 0 });
  bn_catalogue_builder_set_preds (b, workflow, position, preds, n_preds);
}

/* Names of stated GPU types and models move over as they are. */
static void
finish_models (const BnCatalogueBuilder *b, OwnedCatalogue *c)
{
  guint n_stated = 0;
  for (guint i = 0; i < b->models->len; i++)
    {
      const BuilderModel *m = &g_array_index (b->models, BuilderModel, i);
      n_stated += m->stated == NULL ? 0 : m->stated->len;
    }
  /* one more of each, so that no array is NULL and may be stepped through */
  c->models = g_new0 (BnModel, b->models->len + 1);
  c->stated = g_new0 (BnStatedRuntime, n_stated + 1);
  BnStatedRuntime *stated = c->stated;
  for (guint i = 0; i < b->models->len; i++)
    {
      const BuilderModel *m = &g_array_index (b->models, BuilderModel, i);
      uint32_t n = m->stated == NULL ? 0 : m->stated->len;
      if (n > 0)
        memcpy (stated, m->stated->data, n * sizeof *stated);
      c->models[i] = (BnModel) { .name = m->name, .size_bytes = m->size_bytes, .layers = m->layers, .seed = m->seed,
                                 .n_stated = n, .stated = stated };
      stated += n;
    }
  c->catalogue.models = c->models;
  c->catalogue.n_models = b->models->len;
}

static gboolean
finish_workflows (const BnCatalogueBuilder *b, OwnedCatalogue *c, GError **error)
{
  c->workflows = g_new0 (BnWorkflow, b->workflows->len + 1);
  c->tasks = g_new0 (BnTaskSpec, b->n_tasks + 1);
  c->numbers = g_new0 (uint32_t, 2 * (gsize) b->preds->len + 2 * (gsize) b->n_tasks + 1);
  c->catalogue.workflows = c->workflows;
  c->catalogue.n_workflows = b->workflows->len;
  uint32_t *numbers = c->numbers;
  for (guint i = 0; i < b->workflows->len; i++)
    {
      BuilderWorkflow *from = &g_array_index (b->workflows, BuilderWorkflow, i);
      BnWorkflow *to = &c->workflows[i];
      to->name = from->name;
      to->index = i;
      to->first_task = c->catalogue.n_tasks;
      to->n_tasks = from->tasks->len;
      to->deadline_kind = from->deadline_kind;
      to->deadline_ns = from->deadline_kind == BN_DEADLINE_TIME ? from->deadline : 0;
      to->deadline_ppm = from->deadline_kind == BN_DEADLINE_MULTIPLE ? from->deadline : 0;
      c->catalogue.n_tasks += to->n_tasks;
      const BnGraphTask *tasks = (const BnGraphTask *) (const void *) from->tasks->data;
      const uint32_t *preds = (const uint32_t *) (const void *) b->preds->data;
      if (!bn_graph_build (to, from->place, tasks, preds, c->tasks + to->first_task, &numbers, error))
        return FALSE;
    }
  return TRUE;
}

BnCatalogue *
bn_catalogue_builder_finish (BnCatalogueBuilder *b, GError **error)
{
  OwnedCatalogue *c = g_new0 (OwnedCatalogue, 1);
  finish_models (b, c);
  gboolean ok = finish_workflows (b, c, error);
  c->strings = g_steal_pointer (&b->strings);
  bn_catalogue_builder_free (b);
  if (ok)
    return &c->catalogue;
  bn_catalogue_free (&c->catalogue);
  return NULL;
}

void
bn_catalogue_free (BnCatalogue *catalogue)
{
  if (catalogue == NULL)
    return;
  OwnedCatalogue *c = (OwnedCatalogue *) (void *) ((char *) catalogue - G_STRUCT_OFFSET (OwnedCatalogue, catalogue));
  g_string_chunk_free (c->strings);
  g_free (c->models);
  g_free (c->stated);
  g_free (c->workflows);
  g_free (c->tasks);
  g_free (c->numbers);
  g_free (c);
}

int32_t
bn_catalogue_find_workflow (const BnCatalogue *catalogue, const char *name)
{
  for (uint32_t i = 0; i < catalogue->n_workflows; i++)
    if (strcmp (catalogue->workflows[i].name, name) == 0)
      return (int32_t) i;
  return BN_NONE;
}

int32_t
bn_catalogue_find_model (const BnCatalogue *catalogue, const char *name)
{
  for (uint32_t i = 0; i < catalogue->n_models; i++)
    if (strcmp (catalogue->models[i].name, name) == 0)
      return (int32_t) i;
  return BN_NONE;
}
