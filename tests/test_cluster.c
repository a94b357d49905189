/* test_cluster.c: one worker's queue, its orders, and the row it publishes.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Tasks run for as many ms as their number; see lone_worker.h.
 */
#include <check.h>
#include <string.h>

#include "lone_worker.h"
#include "rng.h"
#include "suite.h"

/* ---- queue ---- */

static const BnQueueOrder *
order_named (const char *name)
{
  for (uint32_t i = 0; i < bn_n_queue_orders; i++)
    if (strcmp (bn_queue_orders[i].name, name) == 0)
      return &bn_queue_orders[i];
  ck_abort_msg ("no order %s", name);
  return NULL;
}

static BnQueueNode *
next_at (const LoneWorker *w, const char *order, BnTime now, BnDuration ageing_ns)
{
  BnQueueOrderSettings settings = { ageing_ns, BN_QUEUE_H_DEFAULT };

  return bn_worker_next (&w->worker, order_named (order), &settings, w->cost, now);
}

START_TEST (an_empty_queue_has_no_next)
{
  LoneWorker *w = lone_worker_new (1, 100);

  for (uint32_t i = 0; i < bn_n_queue_orders; i++)
    ck_assert_ptr_null (next_at (w, bn_queue_orders[i].name, 5, MS));
  lone_worker_free (w);
}
END_TEST

START_TEST (a_reservation_is_passed_by_no_later_task_and_passes_no_earlier_one)
{
  LoneWorker *w = lone_worker_new (1, 100);
  /* all without a model, of as many ms as their number */
  BnTask *middle = lone_worker_enqueue (w, &w->job->tasks[17], false);
  BnTask *shorter = lone_worker_enqueue (w, &w->job->tasks[8], false);
  BnQueueNode *reservation = lone_worker_reserve (w);
  BnTask *long_one = lone_worker_enqueue (w, &w->job->tasks[35], false);
  BnTask *late = lone_worker_enqueue (w, &w->job->tasks[26], false);

  ck_assert_ptr_eq (next_at (w, "fifo", 0, MS), &middle->node);
  ck_assert_ptr_eq (next_at (w, "srpt", 0, MS), &shorter->node);
  bn_worker_dequeue (&w->worker, shorter);
  ck_assert_ptr_eq (next_at (w, "srpt", 0, MS), &middle->node);
  bn_worker_dequeue (&w->worker, middle);
  for (uint32_t i = 0; i < bn_n_queue_orders; i++)
    ck_assert_ptr_eq (next_at (w, bn_queue_orders[i].name, 0, MS), reservation);
  bn_queue_remove (&w->worker.queue, reservation);
  ck_assert_ptr_eq (next_at (w, "fifo", 0, MS), &long_one->node);
  ck_assert_ptr_eq (next_at (w, "srpt", 0, MS), &late->node);
  bn_worker_verify (&w->worker, N_MODELS);
  lone_worker_free (w);
}
END_TEST

START_TEST (a_task_put_at_the_head_goes_first_in_order_of_entry)
{
  LoneWorker *w = lone_worker_new (1, 100);
  BnTask *first = lone_worker_enqueue (w, &w->job->tasks[8], false);
  BnTask *head = lone_worker_enqueue (w, &w->job->tasks[17], true);

  ck_assert_ptr_eq (next_at (w, "fifo", 0, MS), &head->node);
  ck_assert_ptr_eq (w->worker.queue.last, &first->node);
  bn_worker_verify (&w->worker, N_MODELS);
  lone_worker_free (w);
}
END_TEST

START_TEST (srpt_counts_the_load_of_a_model_that_is_not_resident)
{
  LoneWorker *w = lone_worker_new (1, 100);
  /* A needs 10 ms of load; task 0 runs 0 ms, task 9 runs 9 ms, both on A; task 8
     runs 8 ms on nothing */
  BnTask *on_a = lone_worker_enqueue (w, &w->job->tasks[0], false);
  BnTask *bare = lone_worker_enqueue (w, &w->job->tasks[8], false);

  ck_assert_ptr_eq (next_at (w, "srpt", 0, 1000 * MS), &bare->node);
  lone_worker_set_cache (w, "a");
  ck_assert_ptr_eq (next_at (w, "srpt", 0, 1000 * MS), &bare->node);
  w->worker.cache.entries[0].state = BN_ENTRY_RESIDENT;
  ck_assert_ptr_eq (next_at (w, "srpt", 0, 1000 * MS), &on_a->node);
  bn_worker_dequeue (&w->worker, on_a);
  lone_worker_enqueue (w, &w->job->tasks[9], true);
  ck_assert_ptr_eq (next_at (w, "srpt", 0, 1000 * MS), &bare->node);
  lone_worker_free (w);
}
END_TEST

START_TEST (srpt_lets_a_waiting_task_count_as_shorter_the_longer_it_waits)
{
  LoneWorker *w = lone_worker_new (1, 100);
  /* 35 ms since 0, 17 ms since 50: with ageing over 100 ms they are level where
     35 (100 - t) = 17 (150 - t), at t = 52.8 ms */
  BnTask *old = lone_worker_enqueue (w, &w->job->tasks[35], false);
  w->job->tasks[17].enqueue_ns = 50 * MS;
  BnTask *new = lone_worker_enqueue (w, &w->job->tasks[17], false);

  ck_assert_ptr_eq (next_at (w, "srpt", 50 * MS, 100 * MS), &new->node);
  ck_assert_ptr_eq (next_at (w, "srpt", 52 * MS, 100 * MS), &new->node);
  ck_assert_ptr_eq (next_at (w, "srpt", 53 * MS, 100 * MS), &old->node);
  ck_assert_ptr_eq (next_at (w, "srpt", 100 * MS, 100 * MS), &old->node);
  ck_assert_ptr_eq (next_at (w, "srpt", 1000 * MS, 100 * MS), &old->node);
  /* beyond the ageing time the longest wait goes first, wherever it stands */
  bn_worker_dequeue (&w->worker, old);
  lone_worker_enqueue (w, old, false);
  ck_assert_ptr_eq (next_at (w, "srpt", 1000 * MS, 100 * MS), &old->node);
  /* hardly any ageing */
  ck_assert_ptr_eq (next_at (w, "srpt", 1000 * MS, INT64_C (86400000) * MS), &new->node);
  lone_worker_free (w);
}
END_TEST

START_TEST (equal_keys_go_in_order_of_entry)
{
  for (uint32_t i = 0; i < bn_n_queue_orders; i++)
    {
      LoneWorker *w = lone_worker_new (1, 100);
      /* both on A, the later number first */
      lone_worker_enqueue (w, &w->job->tasks[9], false);
      lone_worker_enqueue (w, &w->job->tasks[0], false);
      w->cost->rank_ns[9] = w->cost->rank_ns[0] = 4 * MS;
      w->cost->order_weight[9] = w->cost->order_weight[0];
      ck_assert_ptr_eq (next_at (w, bn_queue_orders[i].name, 7 * MS, 50 * MS), &w->job->tasks[9].node);
      lone_worker_free (w);
    }
}
END_TEST

static bool
same_queues (const BnWorker *worker, const GPtrArray *naive)
{
  const BnQueueNode *node = worker->queue.first;
  BnDuration queued_ns = 0;
  uint32_t needed[N_MODELS + 1] = { 0 };

  for (guint i = 0; i < naive->len; i++, node = node->next)
    {
      const BnTask *task = naive->pdata[i];
      if (node != &task->node)
        return false;
      queued_ns += (BnDuration) bn_task_number (task) * MS;
      needed[bn_task_number (task) % 9]++;
    }
  return !node && worker->queued_ns == queued_ns
         && memcmp (worker->needed, needed, N_MODELS * sizeof needed[0]) == 0;
}

START_TEST (queue_sums_agree_with_a_plain_list_after_each_of_thousands_of_steps)
{
  LoneWorker *w = lone_worker_new (1, 100);
  GPtrArray *naive = g_ptr_array_new ();
  BnRng rng;
  guint longest = 0;

  bn_rng_init (&rng, 3, "queue");
  for (int step = 0; step < 20000; step++)
    {
      uint32_t t = (uint32_t) bn_rng_below (&rng, N_TASKS);
      BnTask *task = &w->job->tasks[t];
      if (task->state == BN_TASK_QUEUED)
        {
          bn_worker_dequeue (&w->worker, task);
          task->state = BN_TASK_WAITING;
          g_ptr_array_remove (naive, task);
        }
      else
        {
          bool at_head = bn_rng_below (&rng, 2) == 0;
          lone_worker_enqueue (w, task, at_head);
          g_ptr_array_insert (naive, at_head ? 0 : -1, task);
        }
      longest = MAX (longest, naive->len);
      bn_worker_verify (&w->worker, N_MODELS);
      if (!same_queues (&w->worker, naive))
        ck_abort_msg ("the queues differ after step %d", step);
    }
  ck_assert_uint_gt (longest, N_TASKS / 2);
  g_ptr_array_unref (naive);
  lone_worker_free (w);
}
END_TEST

START_TEST (a_load_is_nobodys_once_its_task_has_left_the_queue)
{
  LoneWorker *w = lone_worker_new (1, 100);
  BnTask *task = lone_worker_enqueue (w, &w->job->tasks[9], false);
  BnTask *other = lone_worker_enqueue (w, &w->job->tasks[0], false);

  lone_worker_set_cache (w, "a");
  w->worker.cache.entries[0].loaded_for = task;
  task->fetch_bytes = task->evict_bytes = MODEL_BYTES;
  bn_worker_verify (&w->worker, N_MODELS);
  bn_worker_dequeue (&w->worker, other);
  ck_assert_ptr_eq (w->worker.cache.entries[0].loaded_for, task);
  bn_worker_dequeue (&w->worker, task);
  ck_assert_ptr_null (w->worker.cache.entries[0].loaded_for);
  ck_assert_int_eq (task->fetch_bytes, 0);
  ck_assert_int_eq (task->evict_bytes, 0);
  bn_worker_verify (&w->worker, N_MODELS);
  lone_worker_free (w);
}
END_TEST

/* ---- the published row ---- */

static void
occupy (LoneWorker *w, uint32_t slot, BnTask *task, BnTime expected_end_ns)
{
  w->worker.slots[slot] = (BnSlot){ .task = task, .expected_end_ns = expected_end_ns };
  w->worker.n_busy++;
  task->state = BN_TASK_RUNNING;
}

static void
row_is (const LoneWorker *w, BnTime now, BnDuration queued_ns, BnTime busy_until_ns)
{
  BnTime scratch[4];
  BnLoadRow row = bn_worker_row (&w->worker, now, scratch);

  ck_assert_int_eq (row.queued_ns, queued_ns);
  ck_assert_int_eq (row.busy_until_ns, busy_until_ns);
  ck_assert_int_eq (row.backlog_ns, w->worker.queued_ns);
}

START_TEST (with_one_slot_a_row_is_the_sum_of_the_queue_and_the_expected_end)
{
  LoneWorker *w = lone_worker_new (1, 100);

  row_is (w, 4 * MS, 0, 0);
  occupy (w, 0, &w->job->tasks[8], 10 * MS);
  row_is (w, 4 * MS, 0, 10 * MS);
  lone_worker_enqueue (w, &w->job->tasks[17], false);
  lone_worker_reserve (w);
  lone_worker_enqueue (w, &w->job->tasks[26], false);
  row_is (w, 4 * MS, 43 * MS, 10 * MS);
  /* overrun: the row still says when the end was expected */
  row_is (w, 12 * MS, 43 * MS, 10 * MS);
  bn_worker_verify (&w->worker, N_MODELS);
  lone_worker_free (w);
}
END_TEST

START_TEST (with_several_slots_a_row_is_when_the_first_is_free_of_the_queue)
{
  LoneWorker *w = lone_worker_new (3, 100);

  /* at 4: one slot is free now */
  occupy (w, 0, &w->job->tasks[8], 10 * MS);
  occupy (w, 2, &w->job->tasks[17], 7 * MS);
  row_is (w, 4 * MS, 0, 4 * MS);
  /* 10 4 7, then 5 goes to slot 1: 10 9 7; 1 to slot 2: 10 9 8 */
  lone_worker_enqueue (w, &w->job->tasks[5], false);
  row_is (w, 4 * MS, 0, 7 * MS);
  lone_worker_enqueue (w, &w->job->tasks[1], false);
  row_is (w, 4 * MS, 0, 8 * MS);
  /* a reservation has no length; 3 makes it 10 9 11, 2 makes it 10 11 11 */
  lone_worker_reserve (w);
  lone_worker_enqueue (w, &w->job->tasks[3], false);
  row_is (w, 4 * MS, 0, 9 * MS);
  lone_worker_enqueue (w, &w->job->tasks[2], false);
  row_is (w, 4 * MS, 0, 10 * MS);
  /* at 20 all are overdue: 20 20 20, then 5 1 3 2: 25 21 23, 25 23 23 */
  row_is (w, 20 * MS, 0, 23 * MS);
  lone_worker_free (w);
}
END_TEST

START_TEST (a_row_of_many_slots_agrees_with_naive_list_scheduling)
{
  BnRng rng;

  bn_rng_init (&rng, 4, "rows");
  for (int i = 0; i < 1000; i++)
    {
      LoneWorker *w = lone_worker_new (4, 100);
      BnTime now = (BnTime) bn_rng_below (&rng, 50) * MS, free_at[4];
      for (uint32_t s = 0; s < 4; s++)
        {
          free_at[s] = now;
          if (bn_rng_below (&rng, 3) == 0)
            continue;
          BnTime end = (BnTime) bn_rng_below (&rng, 100) * MS;
          occupy (w, s, &w->job->tasks[s], end);
          free_at[s] = MAX (now, end);
        }
      uint64_t n = bn_rng_below (&rng, N_QUEUED);
      for (uint32_t k = 0; k < n; k++)
        {
          uint32_t t = 4 + (uint32_t) bn_rng_below (&rng, N_TASKS - 4);
          if (w->job->tasks[t].state == BN_TASK_QUEUED)
            continue;
          lone_worker_enqueue (w, &w->job->tasks[t], false);
          uint32_t least = 0;
          for (uint32_t s = 0; s < 4; s++)
            least = free_at[s] < free_at[least] ? s : least;
          free_at[least] += t * MS;
        }
      row_is (w, now, 0, MIN (MIN (free_at[0], free_at[1]), MIN (free_at[2], free_at[3])));
      lone_worker_free (w);
    }
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("cluster");
  TCase *tc = tcase_create ("one worker");

  tcase_set_timeout (tc, 120);
  tcase_add_test (tc, an_empty_queue_has_no_next);
  tcase_add_test (tc, a_reservation_is_passed_by_no_later_task_and_passes_no_earlier_one);
  tcase_add_test (tc, a_task_put_at_the_head_goes_first_in_order_of_entry);
  tcase_add_test (tc, srpt_counts_the_load_of_a_model_that_is_not_resident);
  tcase_add_test (tc, srpt_lets_a_waiting_task_count_as_shorter_the_longer_it_waits);
  tcase_add_test (tc, equal_keys_go_in_order_of_entry);
  tcase_add_test (tc, queue_sums_agree_with_a_plain_list_after_each_of_thousands_of_steps);
  tcase_add_test (tc, a_load_is_nobodys_once_its_task_has_left_the_queue);
  tcase_add_test (tc, with_one_slot_a_row_is_the_sum_of_the_queue_and_the_expected_end);
  tcase_add_test (tc, with_several_slots_a_row_is_when_the_first_is_free_of_the_queue);
  tcase_add_test (tc, a_row_of_many_slots_agrees_with_naive_list_scheduling);
  suite_add_tcase (suite, tc);
  return run_suite (suite);
}
