/* executor.c: executes tasks: inputs, weights and a workspace in, an output out.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "cpu.h"
#include "panic.h"

/* The inputs of one execution: [n], each held until it is let go. */
typedef struct Inputs
{
  uint32_t n;
  BnStoredBuffer **held;
  BnNnBuffer *buffers;
} Inputs;

static void
inputs_clear (Inputs *inputs, BnStore *store)
{
  for (uint32_t i = 0; i < inputs->n; i++)
    bn_store_let_go (store, inputs->held[i]);
  g_free (inputs->held);
  g_free (inputs->buffers);
}

/* What an entry task's client sent, or the outputs of its predecessors. Returns: NULL, or why
 * one is missing (transfer full); to be cleared in both cases. */
static char *
inputs_collect (Inputs *inputs, BnCpu *cpu, const BnOp *op)
{
  const BnTask *task = op->task;
  const BnTaskSpec *spec = bn_task_spec (task);
  uint32_t n = spec->n_preds > 0 ? spec->n_preds : 1;

  *inputs = (Inputs) { 0, g_new (BnStoredBuffer *, n), g_new (BnNnBuffer, n) };
  for (uint32_t i = 0; i < n; i++)
    {
      bool entry = spec->n_preds == 0;
      BnDatum datum = { task->job->id, entry ? 0 : spec->preds[i], false };
      BnStoredBuffer *held = entry ? bn_cpu_client_input (cpu, task, op->worker)
                                   : bn_store_get (cpu->store, datum, op->worker);
      if (!held)
        return g_strdup_printf ("task %s of job %" G_GINT64_FORMAT ": its input from %s%s is not on worker %u",
                                spec->label, task->job->id, entry ? "the client" : "task ",
                                entry ? "" : task->job->workflow->tasks[spec->preds[i]].label, op->worker);
      inputs->held[i] = held;
      inputs->buffers[i] = (BnNnBuffer) { held->data, held->bytes };
      inputs->n++;
    }
  return NULL;
}

/* Returns: whether there was memory for the output. */
static bool
compute (BnCpuExecutor *executor, BnOp *op, const Inputs *inputs, const float *weights)
{
  BnCpu *cpu = executor->device->cpu;
  const BnTaskSpec *spec = bn_task_spec (op->task);
  const BnNet *net = bn_models_net (cpu->models, op->model);
  BnNnBuffer output = { bn_cpu_buffer_new (spec->output_bytes), spec->output_bytes };

  if (!output.data)
    return false;
  bn_nn_gather (net, inputs->buffers, inputs->n, executor->workspace);
  bn_nn_execute (net, BN_NN_BLAS, weights, bn_net_passes (net, spec->work_ns), executor->workspace);
  bn_nn_scatter (net, executor->workspace, &output);
  if (cpu->settings.verify)
    bn_nn_digest (&output, op->digest);
  BnDatum datum = { op->task->job->id, bn_task_number (op->task), false };
  bn_store_let_go (cpu->store, bn_store_put (cpu->store, datum, op->worker, output.data, output.bytes));
  return true;
}

static BnOpStatus
execute (BnCpuExecutor *executor, BnOp *op)
{
  BnCpuDevice *device = executor->device;
  BnCpu *cpu = device->cpu;
  BnOpStatus status = BN_OP_FAILED;
  const float *weights = NULL;
  Inputs inputs;

  BN_ASSERT (op->n_tasks == 1);
  op->reason = inputs_collect (&inputs, cpu, op);
  if (!op->reason && op->model != BN_NONE)
    {
      weights = bn_cpu_acquire (device, (uint32_t) op->model);
      if (!weights)
        op->reason = g_strdup_printf ("model %s is not on worker %u", cpu->models->catalogue->models[op->model].name,
                                      op->worker);
    }
  if (!op->reason)
    {
      bool done = compute (executor, op, &inputs, weights);
      status = done ? BN_OP_OK : BN_OP_OUT_OF_MEMORY;
      if (!done)
        op->reason = g_strdup_printf ("this machine has no memory for an output of %" G_GINT64_FORMAT " bytes",
                                      bn_task_spec (op->task)->output_bytes);
    }
  if (weights)
    bn_cpu_release (device, (uint32_t) op->model);
  inputs_clear (&inputs, cpu->store);
  return status;
}

gpointer
bn_cpu_executor (gpointer data)
{
  BnCpuExecutor *executor = data;
  BnOp *op;

  bn_cpu_settle (executor->device);
  while ((op = bn_work_queue_pop (executor->device->run_work)))
    bn_answer (&executor->device->cpu->answers, op, execute (executor, op), 0);
  return NULL;
}
