/* catalogue_change.c: a catalogue on a smaller machine, or on one that was measured.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * The catalogue is built once more from the old one: positions are task numbers, so
 * numbers stay, and what follows from sizes and runtimes is worked out anew.
 */
#include "catalogue_builder.h"

int64_t
bn_catalogue_scaled (int64_t value, int64_t scale_ppm)
{
  int64_t scaled = bn_muldiv_round (value, scale_ppm, BN_PPM_ONE);

  return value > 0 && scaled < 1 ? 1 : scaled;
}

/* Whether a task of this model was measured. */
static bool
was_measured (const BnCatalogue *catalogue, const BnCatalogueChange *change, uint32_t model)
{
  for (uint32_t w = 0; w < catalogue->n_workflows && change->runtime_ns != NULL; w++)
    {
      const BnWorkflow *workflow = &catalogue->workflows[w];
      for (uint32_t t = 0; t < workflow->n_tasks; t++)
        if (workflow->tasks[t].model == (int32_t) model && change->runtime_ns[workflow->first_task + t] >= 0)
          return true;
    }
  return false;
}

static void
add_models (BnCatalogueBuilder *b, const BnCatalogue *catalogue, const BnCatalogueChange *change)
{
  for (uint32_t m = 0; m < catalogue->n_models; m++)
    {
      const BnModel *model = &catalogue->models[m];
      bn_catalogue_builder_add_model (b, model->name, bn_catalogue_scaled (model->size_bytes, change->scale_ppm));
      bn_catalogue_builder_set_layers (b, m, model->layers);
      bn_catalogue_builder_set_weights_seed (b, m, model->seed);
      if (!was_measured (catalogue, change, m))
        for (uint32_t i = 0; i < model->n_stated; i++)
          bn_catalogue_builder_state_runtime (b, m, model->stated[i].gpu_type,
                                              bn_catalogue_scaled (model->stated[i].runtime_ns, change->scale_ppm));
    }
}

static void
add_workflow (BnCatalogueBuilder *b, const BnWorkflow *workflow, const BnCatalogueChange *change)
{
  uint32_t w = bn_catalogue_builder_add_workflow (b, workflow->name);

  if (workflow->deadline_kind == BN_DEADLINE_TIME)
    bn_catalogue_builder_set_deadline (b, w, BN_DEADLINE_TIME,
                                       bn_catalogue_scaled (workflow->deadline_ns, change->scale_ppm));
  else
    bn_catalogue_builder_set_deadline (b, w, workflow->deadline_kind, workflow->deadline_ppm);
  for (uint32_t t = 0; t < workflow->n_tasks; t++)
    {
      BnTaskSpec spec = workflow->tasks[t];
      BnDuration measured = change->runtime_ns != NULL ? change->runtime_ns[workflow->first_task + t] : -1;

      spec.input_bytes = bn_catalogue_scaled (spec.input_bytes, change->scale_ppm);
      spec.output_bytes = bn_catalogue_scaled (spec.output_bytes, change->scale_ppm);
      spec.work_ns = bn_catalogue_scaled (spec.work_ns, change->scale_ppm);
      spec.runtime_ns = measured >= 0 ? measured : bn_catalogue_scaled (spec.runtime_ns, change->scale_ppm);
      bn_catalogue_builder_put_task (b, w, &spec, (BnPlace) { 0 });
    }
  for (uint32_t t = 0; t < workflow->n_tasks; t++)
    bn_catalogue_builder_set_preds (b, w, t, workflow->tasks[t].preds, workflow->tasks[t].n_preds);
}

BnCatalogue *
bn_catalogue_changed (const BnCatalogue *catalogue, const BnCatalogueChange *change)
{
  BnCatalogueBuilder *b = bn_catalogue_builder_new ();

  add_models (b, catalogue, change);
  for (uint32_t w = 0; w < catalogue->n_workflows; w++)
    add_workflow (b, &catalogue->workflows[w], change);
  BnCatalogue *changed = bn_catalogue_builder_finish (b, NULL);
  g_assert (changed != NULL);
  return changed;
}
