/* models.c: the nets of a catalogue's models, and their weights in host memory.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "models.h"

#include <gio/gio.h>

#include "host_memory.h"
#include "units.h"

BnModels *
bn_models_new (const BnCatalogue *catalogue)
{
  BnModels *models = g_new0 (BnModels, 1);

  models->catalogue = catalogue;
  models->nets = g_new0 (BnNet *, catalogue->n_models + 1);
  models->weights = g_new0 (float *, catalogue->n_models);
  for (uint32_t i = 0; i <= catalogue->n_models; i++)
    {
      BnNet *net = bn_net_new (i < catalogue->n_models ? &catalogue->models[i] : NULL);
      models->nets[i] = net;
      models->workspace_floats = MAX (models->workspace_floats, net->workspace_floats);
      if (i < catalogue->n_models)
        models->weights_bytes += catalogue->models[i].size_bytes;
    }
  return models;
}

void
bn_models_free (BnModels *models)
{
  if (!models)
    return;
  for (uint32_t i = 0; i < models->catalogue->n_models; i++)
    bn_host_free (models->weights[i], models->catalogue->models[i].size_bytes);
  for (uint32_t i = 0; i <= models->catalogue->n_models; i++)
    bn_net_free (models->nets[i]);
  g_free (models->weights);
  g_free (models->nets);
  g_free (models);
}

/* What threads that make weights share. */
typedef struct Making
{
  BnModels *models;
  int next;    /* model, taken atomically */
} Making;

static gpointer
make_some (gpointer data)
{
  Making *making = data;
  BnModels *models = making->models;
  uint32_t i;

  while ((i = (uint32_t) g_atomic_int_add (&making->next, 1)) < models->catalogue->n_models)
    {
      const BnModel *model = &models->catalogue->models[i];
      models->weights[i] = bn_host_alloc (model->size_bytes);
      if (models->weights[i])
        bn_net_fill_weights (models->nets[i], model->seed, models->weights[i]);
    }
  return NULL;
}

/* Before any of it is taken: the kernel would grant it, and kill the program when it is used. */
static gboolean
check_memory (const BnModels *models, GError **error)
{
  int64_t available = bn_host_available_bytes ();

  if (models->weights_bytes <= available)
    return TRUE;
  g_autofree char *needed = bn_format_size (models->weights_bytes), *there = bn_format_size (available);
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE,
               "the weights of all models need %s of memory, and %s are available; a smaller --scale makes models "
               "smaller",
               needed, there);
  return FALSE;
}

gboolean
bn_models_make_weights (BnModels *models, GError **error)
{
  if (!check_memory (models, error))
    return FALSE;
  Making making = { models, 0 };
  guint n = MIN (g_get_num_processors (), models->catalogue->n_models), n_helpers = 0;
  g_autofree GThread **helpers = g_new (GThread *, n);

  /* where there are no more threads it takes longer, and nothing else */
  while (n_helpers + 1 < n
         && (helpers[n_helpers] = g_thread_try_new ("weights", make_some, &making, NULL)) != NULL)
    n_helpers++;
  make_some (&making);
  for (guint i = 0; i < n_helpers; i++)
    g_thread_join (helpers[i]);
  for (uint32_t i = 0; i < models->catalogue->n_models; i++)
    if (!models->weights[i])
      {
        g_autofree char *size = bn_format_size (models->catalogue->models[i].size_bytes);
        g_set_error (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE,
                     "there is no memory for the weights of model %s (%s); a smaller --scale makes models smaller",
                     models->catalogue->models[i].name, size);
        return FALSE;
      }
  return TRUE;
}
