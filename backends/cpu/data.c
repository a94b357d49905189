/* data.c: inputs, outputs and transfers of the CPU backend.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "cpu.h"
#include "thread.h"

float *
bn_cpu_buffer_new (int64_t bytes)
{
  return g_try_malloc_n ((gsize) bn_nn_buffer_floats (bytes), sizeof (float));
}

/* What the client sent, made now. NULL: there is no memory. */
static float *
make_client_input (BnCpu *cpu, const BnTask *task)
{
  int64_t bytes = bn_task_spec (task)->input_bytes;
  BnNnBuffer buffer = { bn_cpu_buffer_new (bytes), bytes };

  if (buffer.data)
    bn_nn_client_input (cpu->settings.seed, task->job->id, bn_task_number (task), &buffer);
  return buffer.data;
}

BnStoredBuffer *
bn_cpu_client_input (BnCpu *cpu, const BnTask *task, uint32_t worker)
{
  BnDatum datum = { task->job->id, bn_task_number (task), true };
  BnStoredBuffer *buffer = bn_store_get (cpu->store, datum, worker);

  if (buffer || (int64_t) worker != task->job->ingress)
    return buffer;
  float *data = make_client_input (cpu, task);
  return data ? bn_store_put (cpu->store, datum, worker, data, bn_task_spec (task)->input_bytes) : NULL;
}

static char *
missing_reason (const BnOp *op)
{
  const BnJob *job = op->task->job;

  if (op->pred == BN_NONE)
    return g_strdup_printf ("what the client sent for task %s of job %" G_GINT64_FORMAT " is not on worker %d",
                            bn_task_spec (op->task)->label, job->id, op->from_worker);
  return g_strdup_printf ("the output of task %s of job %" G_GINT64_FORMAT " is not on worker %d",
                          job->workflow->tasks[op->pred].label, job->id, op->from_worker);
}

/* A copy of what is to be moved, and its size. NULL: *status and op->reason say why. */
static float *
copy_of_source (BnCpu *cpu, BnOp *op, int64_t *bytes, BnOpStatus *status)
{
  BnStoredBuffer *source = NULL;
  float *copy = NULL;

  *status = BN_OP_OUT_OF_MEMORY;
  if (op->from_worker == BN_NONE)
    {
      *bytes = bn_task_spec (op->task)->input_bytes;
      copy = make_client_input (cpu, op->task);
    }
  else
    {
      BnDatum datum = { op->task->job->id, (uint32_t) op->pred, false };
      source = op->pred == BN_NONE ? bn_cpu_client_input (cpu, op->task, (uint32_t) op->from_worker)
                                   : bn_store_get (cpu->store, datum, (uint32_t) op->from_worker);
      if (!source)
        {
          *status = BN_OP_FAILED;
          op->reason = missing_reason (op);
          return NULL;
        }
      *bytes = source->bytes;
      copy = bn_cpu_buffer_new (source->bytes);
      if (copy)
        memcpy (copy, source->data, (size_t) bn_nn_buffer_floats (source->bytes) * sizeof (float));
      bn_store_let_go (cpu->store, source);
    }
  if (!copy)
    op->reason = g_strdup_printf ("this machine has no memory for a transfer of %" G_GINT64_FORMAT " bytes", *bytes);
  return copy;
}

static BnOpStatus
transfer (BnCpu *cpu, BnOp *op)
{
  BnDatum datum = { op->task->job->id, op->pred == BN_NONE ? bn_task_number (op->task) : (uint32_t) op->pred,
                    op->pred == BN_NONE };
  BnOpStatus status;
  int64_t bytes;
  float *copy = copy_of_source (cpu, op, &bytes, &status);

  if (!copy)
    return status;
  bn_store_let_go (cpu->store, bn_store_put (cpu->store, datum, op->worker, copy, bytes));
  return BN_OP_OK;
}

gpointer
bn_cpu_mover (gpointer data)
{
  BnCpu *cpu = data;
  BnOp *op;

  bn_thread_be_prompt ();
  while ((op = bn_work_queue_pop (cpu->transfers)))
    bn_cpu_answer_copy (cpu, op, transfer (cpu, op));
  return NULL;
}
