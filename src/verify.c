/* verify.c: compares what a real run computed with a single-threaded reference.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "verify.h"

#include <string.h>

#include "reference.h"

/* What a run says of one job: its tasks follow each other in `tasks`. */
typedef struct Job
{
  int64_t id;
  const BnWorkflow *workflow;
  gsize first_task;
} Job;

typedef struct Task
{
  double digest[2];
  bool done;
} Task;

struct BnVerify
{
  BnProbe probe;
  GArray *jobs;    /* of Job, in order of their end */
  GArray *tasks;   /* of Task */
};

/* Shared by the threads; each takes the next job. */
typedef struct Work
{
  const BnVerify *verify;
  const BnReference *reference;
  BnInterrupt *interrupt;   /* or NULL                                          */
  int next_job;             /* atomic */
  bool **wrong;             /* [job][task]: each written by one thread; NULL: not compared */
} Work;

static void
job_ended (void *context, const BnJob *job, BnTime now G_GNUC_UNUSED)
{
  BnVerify *v = context;
  Job kept = { job->id, job->workflow, v->tasks->len };

  g_array_append_val (v->jobs, kept);
  for (uint32_t t = 0; t < job->workflow->n_tasks; t++)
    {
      Task task = { .done = job->tasks[t].state == BN_TASK_DONE };
      memcpy (task.digest, job->tasks[t].digest, sizeof task.digest);
      g_array_append_val (v->tasks, task);
    }
}

BnVerify *
bn_verify_new (void)
{
  BnVerify *v = g_new0 (BnVerify, 1);

  v->jobs = g_array_new (FALSE, FALSE, sizeof (Job));
  v->tasks = g_array_new (FALSE, FALSE, sizeof (Task));
  v->probe = (BnProbe) { .context = v, .job_ended = job_ended };
  return v;
}

void
bn_verify_free (BnVerify *verify)
{
  if (verify == NULL)
    return;
  g_array_unref (verify->jobs);
  g_array_unref (verify->tasks);
  g_free (verify);
}

const BnProbe *
bn_verify_probe (BnVerify *verify)
{
  return &verify->probe;
}

static const Task *
task_of (const BnVerify *v, const Job *job, uint32_t t)
{
  return &g_array_index (v->tasks, Task, job->first_task + t);
}

static bool
was_started (const BnVerify *v, const Job *job)
{
  for (uint32_t t = 0; t < job->workflow->n_tasks; t++)
    if (task_of (v, job, t)->done)
      return true;
  return false;
}

static bool
take_job (Work *work, guint *ret)
{
  if (work->interrupt != NULL && bn_interrupt_came (work->interrupt))
    return false;
  *ret = (guint) g_atomic_int_add (&work->next_job, 1);
  return *ret < work->verify->jobs->len;
}

static gpointer
compare_jobs (gpointer data)
{
  Work *work = data;
  const BnVerify *v = work->verify;

  for (guint i; take_job (work, &i);)
    {
      const Job *job = &g_array_index (v->jobs, Job, i);
      work->wrong[i] = g_new0 (bool, job->workflow->n_tasks);
      if (!was_started (v, job))
        continue;
      double (*digests)[2] = g_malloc0_n (job->workflow->n_tasks, sizeof *digests);
      bn_reference_job (work->reference, job->id, job->workflow, digests);
      for (uint32_t t = 0; t < job->workflow->n_tasks; t++)
        work->wrong[i][t] = task_of (v, job, t)->done
                            && !bn_nn_same_digest (task_of (v, job, t)->digest, digests[t], BN_NN_TOLERANCE);
      g_free (digests);
    }
  return NULL;
}

/* In order of the jobs' end, whichever thread was first. */
static void
sum_up (const Work *work, BnVerifyOutcome *ret)
{
  const BnVerify *v = work->verify;

  for (guint i = 0; i < v->jobs->len; i++)
    {
      const Job *job = &g_array_index (v->jobs, Job, i);
      for (uint32_t t = 0; t < job->workflow->n_tasks; t++)
        {
          ret->n_done += task_of (v, job, t)->done;
          if (work->wrong[i] == NULL)
            continue;
          ret->n_tasks += task_of (v, job, t)->done;
          ret->n_wrong += work->wrong[i][t];
          if (work->wrong[i][t] && ret->messages->len < BN_VERIFY_MESSAGES)
            g_ptr_array_add (ret->messages,
                             g_strdup_printf ("the output of job %" G_GINT64_FORMAT " task %s of %s is not what the"
                                              " reference computes", job->id, job->workflow->tasks[t].label,
                                              job->workflow->name));
        }
    }
}

gboolean
bn_verify_compare (const BnVerify *verify, const BnCatalogue *catalogue, uint64_t seed, BnInterrupt *interrupt,
                   BnVerifyOutcome *ret, GError **error)
{
  BnReference *reference = bn_reference_new (catalogue, seed, BN_NN_BLAS, error);
  Work work = { .verify = verify, .reference = reference, .interrupt = interrupt };
  guint n_threads = MAX (1, MIN (g_get_num_processors (), verify->jobs->len));

  *ret = (BnVerifyOutcome) { .messages = g_ptr_array_new_with_free_func (g_free) };
  if (reference == NULL)
    return FALSE;
  /* the run may have had more */
  bn_nn_set_blas_threads (1);
  g_autofree GThread **threads = g_new0 (GThread *, n_threads);
  work.wrong = g_new0 (bool *, verify->jobs->len + 1);
  for (guint i = 0; i < n_threads; i++)
    threads[i] = g_thread_new ("verify", compare_jobs, &work);
  for (guint i = 0; i < n_threads; i++)
    g_thread_join (threads[i]);
  sum_up (&work, ret);
  for (guint i = 0; i < verify->jobs->len; i++)
    g_free (work.wrong[i]);
  g_free (work.wrong);
  bn_reference_free (reference);
  return TRUE;
}

void
bn_verify_outcome_clear (BnVerifyOutcome *outcome)
{
  g_clear_pointer (&outcome->messages, g_ptr_array_unref);
}
