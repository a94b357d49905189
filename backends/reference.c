/* reference.c: what a job's tasks must come to: the same nets, one after the other.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "reference.h"

#include "address_space.h"
#include "models.h"

struct BnReference
{
  uint64_t seed;
  BnNnMatmul matmul;
  BnModels *models;
};

BnReference *
bn_reference_new (const BnCatalogue *catalogue, uint64_t seed, BnNnMatmul matmul, GError **error)
{
  BnReference *reference = g_new0 (BnReference, 1);

  reference->seed = seed;
  reference->matmul = matmul;
  reference->models = bn_models_new (catalogue);
  if (!bn_models_make_weights (reference->models, error)
      || (matmul == BN_NN_BLAS
          && !bn_address_space_check (g_get_num_processors (), g_get_num_processors (), error)))
    {
      g_prefix_error (error, "--verify computes all anew: ");
      bn_reference_free (reference);
      return NULL;
    }
  return reference;
}

void
bn_reference_free (BnReference *reference)
{
  if (!reference)
    return;
  bn_models_free (reference->models);
  g_free (reference);
}

static BnNnBuffer
buffer_new (int64_t bytes)
{
  return (BnNnBuffer) { g_new (float, bn_nn_buffer_floats (bytes)), bytes };
}

static void
compute_task (const BnReference *reference, const BnTaskSpec *spec, const BnNnBuffer *inputs, uint32_t n_inputs,
              float *workspace, BnNnBuffer *output)
{
  const BnNet *net = bn_models_net (reference->models, spec->model);
  const float *weights = spec->model == BN_NONE ? NULL : reference->models->weights[spec->model];

  bn_nn_gather (net, inputs, n_inputs, workspace);
  bn_nn_execute (net, reference->matmul, weights, bn_net_passes (net, spec->work_ns), workspace);
  bn_nn_scatter (net, workspace, output);
}

void
bn_reference_job (const BnReference *reference, int64_t job_id, const BnWorkflow *workflow, double (*digests)[2])
{
  g_autofree BnNnBuffer *outputs = g_new0 (BnNnBuffer, workflow->n_tasks);
  g_autofree BnNnBuffer *inputs = g_new (BnNnBuffer, MAX (workflow->n_tasks, 1));
  g_autofree float *workspace = g_new (float, reference->models->workspace_floats);

  for (uint32_t i = 0; i < workflow->n_tasks; i++)
    {
      uint32_t t = workflow->topological[i];
      const BnTaskSpec *spec = &workflow->tasks[t];
      bool entry = spec->n_preds == 0;

      outputs[t] = buffer_new (spec->output_bytes);
      if (entry)
        {
          inputs[0] = buffer_new (spec->input_bytes);
          bn_nn_client_input (reference->seed, job_id, t, &inputs[0]);
        }
      for (uint32_t p = 0; p < spec->n_preds; p++)
        inputs[p] = outputs[spec->preds[p]];
      compute_task (reference, spec, inputs, entry ? 1 : spec->n_preds, workspace, &outputs[t]);
      bn_nn_digest (&outputs[t], digests[t]);
      if (entry)
        g_free (inputs[0].data);
    }
  for (uint32_t t = 0; t < workflow->n_tasks; t++)
    g_free (outputs[t].data);
}
