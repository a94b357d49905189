/* pull.c: requests of open tasks, their reservations in queues, late binding.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * A reservation travels to its worker. When it reaches the head of the queue with a
 * slot free, a message goes back to the scheduler of its request; the slot is held
 * meanwhile. The scheduler binds one task to this worker, whose inputs then
 * travel, or answers that there is none, and when that arrives the slot is free
 * again. Each of these messages takes the network's latency, and no time within a
 * worker. With the last task of a request its remaining reservations leave their
 * queues at once: a cancellation is counted as a message, but costs no time.
 */
#include "run_internal.h"

#include <string.h>

static void
free_request (BnRequest *request)
{
  g_free (request->tasks);
  g_free (request);
}

void
bn_run_drop_pull (Pull *pull)
{
  BnRequest *request = pull->request;

  request->n_pulls--;
  if (request->n_tasks == 0 && request->n_pulls == 0)
    free_request (request);
  g_free (pull);
}

/* Takes the reservations that are left out of their queues. */
static void
cancel_reservations (BnRun *run, BnRequest *request)
{
  for (ReservationNode *node = request->nodes, *next; node; node = next)
    {
      next = node->next;
      run->totals.n_messages += (int32_t) node->worker != request->observer;
      node->node.request = NULL;
      if (!node->queued)
        continue; /* its event frees it */
      bn_queue_remove (&run->workers[node->worker].queue, &node->node);
      g_free (node);
    }
  request->nodes = NULL;
}

void
bn_run_reserve (BnRun *run, Ask *ask)
{
  BnRequest *request = g_new0 (BnRequest, 1);

  request->job = ask->job;
  request->observer = ask->observer == BN_NONE ? ask->at_worker : ask->observer;
  request->tasks = g_memdup2 (ask->tasks, ask->n_tasks * sizeof *ask->tasks);
  request->n_tasks = ask->n_tasks;
  for (uint32_t i = 0; i < ask->n_tasks; i++)
    ask->job->tasks[ask->tasks[i]].request = request;
  for (uint32_t i = 0; i < ask->n_reserved; i++)
    {
      if (ask->reserved[i] >= run->config.platform->n_workers)
        {
          bn_run_refuse_job (run, ask->job, BN_REASON_BAD_WORKER);
          return;
        }
      ReservationNode *node = g_new0 (ReservationNode, 1);
      node->node.request = request;
      node->worker = bn_run_up_instead (run, &ask->job->tasks[ask->tasks[0]], ask->reserved[i]);
      node->next = request->nodes;
      request->nodes = node;
      run->totals.n_messages += (int32_t) node->worker != request->observer;
      BnDuration message_ns = bn_run_message_ns (run, (int32_t) node->worker, request->observer);
      bn_run_schedule (run, bn_time_add (run->now, message_ns), EVENT_RESERVE, node, 0);
    }
}

static void
unlink_from_request (ReservationNode *node)
{
  ReservationNode **link = &node->node.request->nodes;

  while (*link != node)
    link = &(*link)->next;
  *link = node->next;
}

void
bn_run_drop_reservation (ReservationNode *node)
{
  if (node->node.request)
    unlink_from_request (node);
  g_free (node);
}

/* From a worker that is lost to one that is up; its job fails where there is none. */
static void
redirect_reservation (BnRun *run, ReservationNode *node)
{
  BnRequest *request = node->node.request;

  node->worker = bn_run_up_instead (run, &request->job->tasks[request->tasks[0]], node->worker);
  if (run->down[node->worker])
    {
      bn_run_fail_job (run, request->job, BN_REASON_NO_WORKER_LEFT);
      g_free (node);
      return;
    }
  run->totals.n_messages++;
  bn_run_schedule (run, bn_time_add (run->now, bn_run_message_ns (run, (int32_t) node->worker, request->observer)),
                   EVENT_RESERVE, node, 0);
}

void
bn_run_move_reservation (BnRun *run, BnQueueNode *queue_node)
{
  ReservationNode *node = (ReservationNode *) ((char *) queue_node - offsetof (ReservationNode, node));

  bn_queue_remove (&run->workers[node->worker].queue, queue_node);
  node->queued = false;
  redirect_reservation (run, node);
}

void
bn_run_reservation_arrives (BnRun *run, ReservationNode *node)
{
  BnWorker *worker = &run->workers[node->worker];

  if (!node->node.request)
    {
      g_free (node);
      return;
    }
  if (run->down[node->worker])
    {
      redirect_reservation (run, node);
      return;
    }
  node->queued = true;
  bn_queue_append (&worker->queue, &node->node);
  bn_run_dispatch (run, worker, false);
}

void
bn_run_release_slot (BnRun *run, uint32_t worker)
{
  run->workers[worker].n_held--;
  bn_run_dispatch (run, &run->workers[worker], false);
}

void
bn_run_start_pull (BnRun *run, BnWorker *worker, BnQueueNode *queue_node)
{
  ReservationNode *node = (ReservationNode *) ((char *) queue_node - offsetof (ReservationNode, node));
  BnRequest *request = queue_node->request;
  Pull *pull = g_new (Pull, 1);

  unlink_from_request (node);
  bn_queue_remove (&worker->queue, queue_node);
  g_free (node);
  worker->n_held++;
  request->n_pulls++;
  request->job->n_refs++;
  *pull = (Pull){ request, worker->index };
  bool remote = (int32_t) worker->index != request->observer;
  run->totals.n_messages += 2 * remote;
  bn_run_schedule (run, bn_time_add (run->now, bn_run_message_ns (run, (int32_t) worker->index, request->observer)),
                   EVENT_PULL, pull, 0);
}

/* Takes a task out of its request; the last one takes the reservations along. */
static bool
bind_task (BnRun *run, BnRequest *request, uint32_t task)
{
  for (uint32_t i = 0; i < request->n_tasks; i++)
    if (request->tasks[i] == task)
      {
        request->n_tasks--;
        memmove (request->tasks + i, request->tasks + i + 1, (request->n_tasks - i) * sizeof *request->tasks);
        request->job->tasks[task].request = NULL;
        if (request->n_tasks == 0)
          cancel_reservations (run, request);
        return true;
      }
  return false;
}

void
bn_run_pull_answered (BnRun *run, Ask *ask)
{
  if (ask->n_answers > 0 && !bind_task (run, ask->pull->request, ask->answers[0].task))
    ask->n_answers = 0;
}

void
bn_run_pull_applies (BnRun *run, Ask *ask)
{
  Pull *pull = ask->pull;
  BnRequest *request = pull->request;
  Answer *answer = &ask->answers[0];

  if (ask->job->state == BN_JOB_LIVE && ask->n_answers > 0)
    {
      BnTask *task = &ask->job->tasks[answer->task];
      task->priority = answer->priority;
      answer->worker = bn_run_up_instead (run, task, answer->worker);
      bn_run_place_open (run, task, answer->worker, ask->observer);
      bn_run_tell_decision (run, ask, answer, BN_NONE);
      task->bound = ask->job->state == BN_JOB_LIVE && answer->worker == pull->worker;
      if (!task->bound)
        bn_run_release_slot (run, pull->worker);
    }
  else
    bn_run_schedule (run, bn_time_add (run->now, bn_run_message_ns (run, (int32_t) pull->worker, request->observer)),
                     EVENT_RELEASE, NULL, pull->worker);
  /* every worker that was asked has been sent away */
  bool abandoned = request->n_tasks > 0 && request->n_pulls == 1 && !request->nodes;
  bn_run_drop_pull (pull);
  ask->pull = NULL;
  if (abandoned)
    bn_run_refuse_job (run, ask->job, BN_REASON_NOT_PLACED);
  bn_run_unref_job (run, ask->job);
}

void
bn_run_cancel_requests (BnRun *run, BnJob *job)
{
  for (uint32_t t = 0; t < job->workflow->n_tasks; t++)
    {
      BnRequest *request = job->tasks[t].request;
      if (!request)
        continue;
      for (uint32_t i = 0; i < request->n_tasks; i++)
        job->tasks[request->tasks[i]].request = NULL;
      request->n_tasks = 0;
      cancel_reservations (run, request);
      if (request->n_pulls == 0)
        free_request (request);
    }
}
