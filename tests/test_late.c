/* test_late.c: what goes before a task, tasks that are sent on, stolen and pooled.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Times are worked by hand. A client's message takes 2 us, data from one worker to
 * another 2 us for what the client sent and 4 us for an output, a message 1 us.
 */
#include <check.h>
#include <glib.h>
#include <string.h>

#include "free_at.h"
#include "suite.h"
#include "world.h"

#define MS BN_NS_PER_MS
#define MB INT64_C (1000000)

/* Workflows of one task without a model, as many ms as their name says. on-a: 5 ms on
 * model A, which loads in 10 ms. pair: 10 ms -> 10 ms, no models. */
static BnCatalogue *
catalogue (void)
{
  static const int ms[] = { 10, 20, 100, 600 };
  static const uint32_t zero[] = { 0 };
  BnCatalogueBuilder *b = bn_catalogue_builder_new ();

  bn_catalogue_builder_add_model (b, "A", 10 * MB);
  for (guint i = 0; i < G_N_ELEMENTS (ms); i++)
    {
      g_autofree char *name = g_strdup_printf ("bare%d", ms[i]);
      bn_catalogue_builder_add_workflow (b, name);
      bn_catalogue_builder_add_task (b, BN_NONE, 1000, 0, ms[i] * MS, NULL, 0);
    }
  bn_catalogue_builder_add_workflow (b, "on-a");
  bn_catalogue_builder_add_task (b, 0, 1000, 0, 5 * MS, NULL, 0);
  bn_catalogue_builder_add_workflow (b, "pair");
  bn_catalogue_builder_add_task (b, BN_NONE, 1000, 1000, 10 * MS, NULL, 0);
  bn_catalogue_builder_add_task (b, BN_NONE, 1000, 0, 10 * MS, zero, 1);
  return bn_catalogue_builder_finish (b, NULL);
}

enum
{
  BARE10,
  BARE20,
  BARE100,
  BARE600,
  ON_A,
  PAIR
};

/* ---- the estimate ---- */
/* One worker's row: what runs ends at 100 ms; queued are 600, 10 and 20 ms, all of
 * jobs just created. */
typedef struct Row
{
  BnCatalogue *catalogue;
  BnPlatform *platform;
  BnCost *cost;
  BnQueueOrderSettings settings;
  BnQueueClasses classes;
  BnQueuedTask queued[3];
  BnQueueRow queue;
  BnDuration backlog_ns;
  BnTime slot_free_ns;
  BnReservation reserved[3];
  BnReservation *first_reserved;
  BnView view;
  BnFreeAt free_at;
} Row;

static BnQueuedTask
queued_task (const Row *row, uint32_t workflow, BnTime create_ns)
{
  const BnWorkflow *wf = &row->catalogue->workflows[workflow];
  return (BnQueuedTask){ .job_id = workflow, .create_ns = create_ns, .estimate_ns = wf->tasks[0].runtime_ns,
                         .task = wf->first_task };
}

static Row *
row_under (const char *order, BnFtMode mode, double behind, uint32_t slots)
{
  Row *row = g_new0 (Row, 1);
  BnServerGroup group = world_group (1, 100 * MB);
  BnNetwork network = world_network ();
  uint32_t i = 0;

  group.gpu.slots = slots;
  row->catalogue = catalogue ();
  row->platform = bn_platform_new (&group, 1, &network);
  row->cost = bn_cost_new (row->platform, row->catalogue);
  row->settings = (BnQueueOrderSettings){ 10 * BN_NS_PER_S, BN_QUEUE_H_DEFAULT };
  while (strcmp (bn_queue_orders[i].name, order) != 0)
    i++;
  row->classes = bn_queue_classes (&bn_queue_orders[i], &row->settings, row->cost);
  row->queued[0] = queued_task (row, BARE600, 0);
  row->queued[1] = queued_task (row, BARE10, 0);
  row->queued[2] = queued_task (row, BARE20, 0);
  row->queue = (BnQueueRow){ .tasks = row->queued, .n_tasks = 3 };
  for (int t = 0; t < 3; t++)
    {
      double key = bn_queue_orders[i].key
                     ? bn_queue_orders[i].key (&row->queued[t], 0, 0, row->cost, &row->settings) : 0;
      row->queue.class_ns[bn_queue_class (&row->classes, key)] += row->queued[t].estimate_ns;
    }
  row->backlog_ns = 630 * MS;
  row->slot_free_ns = 100 * MS;
  row->view = (BnView){ .n_workers = 1, .observer = BN_NONE, .backlog_ns = &row->backlog_ns,
                        .queued_ns = &row->backlog_ns, .busy_until_ns = &row->slot_free_ns,
                        .slot_free_ns = &row->slot_free_ns, .queues = &row->queue };
  row->free_at = (BnFreeAt){ row->cost, &bn_queue_orders[i], &row->settings, &row->classes, mode, behind, 0 };
  return row;
}

static void
row_free (Row *row)
{
  bn_cost_free (row->cost);
  bn_platform_free (row->platform);
  bn_catalogue_free (row->catalogue);
  g_free (row);
}

/* When a new job of that workflow could begin. */
static BnTime
free_for (const Row *row, uint32_t workflow, BnTime now, BnTime at_ns)
{
  BnJob *job = g_malloc0 (sizeof (BnJob) + sizeof (BnTask));
  job->workflow = &row->catalogue->workflows[workflow];
  job->create_ns = now;
  BnNewcomer newcomer = bn_newcomer (&row->free_at, job, 0, now);
  g_free (job);
  return bn_free_at (&row->free_at, &row->view, 0, now, at_ns, &newcomer);
}

START_TEST (only_what_goes_before_it_counts)
{
  /* keys, h = 32, age 0: 32 (r / 600)^2 - 1: 10 ms -0.991, 20 ms -0.964, 600 ms 31 */
  Row *row = row_under ("key", BN_FT_ORDER, 0, 1);
  ck_assert_int_eq (free_for (row, BARE10, 0, 0), (100 + 10) * MS);
  ck_assert_int_eq (free_for (row, BARE20, 0, 0), (100 + 10 + 20) * MS);
  ck_assert_int_eq (free_for (row, BARE100, 0, 0), (100 + 10 + 20) * MS);
  ck_assert_int_eq (free_for (row, BARE600, 0, 0), (100 + 630) * MS);
  /* after what runs has ended, from now */
  ck_assert_int_eq (free_for (row, BARE10, 150 * MS, 0), (150 + 10 + 20) * MS);
  row_free (row);
}
END_TEST

START_TEST (a_task_that_has_waited_goes_before_shorter_ones)
{
  Row *row = row_under ("key", BN_FT_ORDER, 0, 1);
  /* the 600 ms task's key is 31 - age / 600 ms: below -0.991 from 19.195 s on; those
     of 10 and 20 ms have long been ahead */
  ck_assert_int_eq (free_for (row, BARE10, 19194 * MS, 0), (19194 + 30) * MS);
  ck_assert_int_eq (free_for (row, BARE10, 19196 * MS, 0), (19196 + 630) * MS);
  row_free (row);
}
END_TEST

START_TEST (under_fifo_and_with_ft_queue_the_whole_queue_counts)
{
  Row *row = row_under ("fifo", BN_FT_ORDER, 0, 1);
  ck_assert_int_eq (free_for (row, BARE10, 0, 0), (100 + 630) * MS);
  row_free (row);
  row = row_under ("key", BN_FT_QUEUE, 0, 1);
  ck_assert_int_eq (free_for (row, BARE10, 0, 0), (100 + 630) * MS);
  row_free (row);
}
END_TEST

START_TEST (a_share_of_what_would_go_behind_counts_too)
{
  Row *row = row_under ("key", BN_FT_ORDER, 0.25, 1);
  ck_assert_int_eq (free_for (row, BARE20, 0, 0), (100 + 30 + 150) * MS);
  row_free (row);
}
END_TEST

START_TEST (a_task_that_overruns_is_expected_to_take_as_long_again)
{
  Row *row = row_under ("key", BN_FT_ORDER, 0, 1);
  row->backlog_ns = 0;
  row->queue.n_tasks = 0;
  row->free_at.overrun = 1;
  /* due at 100: at 150 it has overrun by 50 */
  ck_assert_int_eq (free_for (row, BARE10, 90 * MS, 0), 100 * MS);
  ck_assert_int_eq (free_for (row, BARE10, 150 * MS, 0), 200 * MS);
  row->free_at.overrun = 0.5;
  ck_assert_int_eq (free_for (row, BARE10, 150 * MS, 0), 175 * MS);
  /* a row that is 30 ms old knows of 20; one's own is fresh */
  row->free_at.overrun = 1;
  row->view.load_age_ns = 30 * MS;
  ck_assert_int_eq (free_for (row, BARE10, 150 * MS, 0), 170 * MS);
  ck_assert_int_eq (free_for (row, BARE10, 120 * MS, 0), 120 * MS);
  row->view.observer = 0;
  ck_assert_int_eq (free_for (row, BARE10, 150 * MS, 0), 200 * MS);
  /* who runs nothing does not overrun; nor does anybody if that is not asked for */
  row->slot_free_ns = 0;
  ck_assert_int_eq (free_for (row, BARE10, 150 * MS, 0), 150 * MS);
  row->slot_free_ns = 100 * MS;
  row->free_at.overrun = 0;
  ck_assert_int_eq (free_for (row, BARE10, 150 * MS, 0), 150 * MS);
  row_free (row);
}
END_TEST

START_TEST (two_slots_work_off_a_queue_twice_as_fast)
{
  Row *row = row_under ("key", BN_FT_ORDER, 0, 2);
  ck_assert_int_eq (free_for (row, BARE20, 0, 0), (100 + 15) * MS);
  row_free (row);
}
END_TEST

START_TEST (classes_count_those_below_and_half_of_their_own)
{
  /* seven tasks in the catalogue; keys at creation in order: on-a -0.998, pair's
     second (rank 10, bound 20.004: -0.489), 10 ms -0.991, pair's first -0.96, 20 ms
     -0.964, 100 ms -0.11, 600 ms 31. So 10 and 20 ms are below 100 ms, and 600 ms is
     in the last class. */
  Row *row = row_under ("key", BN_FT_CLASSES, 0, 1);
  ck_assert_int_eq (row->queue.class_ns[BN_QUEUE_CLASSES - 1], 600 * MS);
  ck_assert_int_eq (free_for (row, BARE100, 0, 0), (100 + 30) * MS);
  ck_assert_int_eq (free_for (row, BARE600, 0, 0), (100 + 30 + 300) * MS);
  row_free (row);
}
END_TEST

/* Reserves a task of that workflow, expected at ready_ns; call by rising time. */
static void
reserve (Row *row, uint32_t i, uint32_t workflow, BnTime ready_ns)
{
  BnReservation *r = &row->reserved[i];
  *r = (BnReservation){ .task = queued_task (row, workflow, 0), .owner = BN_NONE, .told_ns = BN_TIME_NEVER,
                        .visible_ns = BN_TIME_NEVER, .ends_ns = BN_TIME_NEVER };
  r->amount_ns = r->task.estimate_ns;
  r->task.enqueue_ns = ready_ns;
  if (i == 0)
    row->first_reserved = r;
  else
    row->reserved[i - 1].next_here = r;
  row->view.reserved = &row->first_reserved;
}

START_TEST (reserved_work_counts_up_to_the_first_that_comes_too_late)
{
  Row *row = row_under ("key", BN_FT_ORDER, 0, 1);
  /* a 20 ms task could begin at 130; one of 10 ms is expected before, one of 600 ms
     would go behind it, another of 10 ms comes after */
  reserve (row, 0, BARE10, 120 * MS);
  reserve (row, 1, BARE600, 125 * MS);
  reserve (row, 2, BARE10, 141 * MS);
  ck_assert_int_eq (free_for (row, BARE20, 0, 0), 140 * MS);
  /* whoever comes at 200 finds all of them: the gap until 141 stays empty */
  ck_assert_int_eq (free_for (row, BARE20, 0, 200 * MS), 151 * MS);
  /* its own reservation does not stand in its way, nor one it does not know */
  row->view.left_out = &row->reserved[0];
  ck_assert_int_eq (free_for (row, BARE20, 0, 0), 130 * MS);
  row->view.left_out = NULL;
  row->reserved[0].owner = 3;
  ck_assert_int_eq (free_for (row, BARE20, 0, 0), 130 * MS);
  row_free (row);
}
END_TEST

/* ---- runs ---- */
static World *
cluster (uint32_t n_workers, const char *variant, BnDuration staleness_ns)
{
  BnServerGroup group = world_group (n_workers, 100 * MB);
  World *w = world_new (catalogue (), &group, 1);

  w->config.options.load_spread = w->config.options.cache_spread = (BnSpread){ BN_SPREAD_DELAY, staleness_ns };
  world_schedule (w, variant);
  return w;
}

static void
run (World *w, const char *jobs)
{
  world_jobs (w, jobs);
  ck_assert_int_eq (world_run (w), BN_RUN_COMPLETE);
  ck_assert_int_eq (w->violations, 0);
}

#define BUSY_0_AND_2 "0,bare100,0\n0,bare100,2\n"

START_TEST (a_worker_sends_a_task_on_that_was_placed_by_an_old_row)
{
  /* At 3.002 worker 2 is busy and sees the rows of a second ago, worker 0 idle. At
     3.004 worker 0 has the task, and knows better: itself 110.002, worker 1 13.006. */
  World *w = cluster (3, "jit[redecide]", BN_NS_PER_S);
  run (w, BUSY_0_AND_2 "3000000,bare10,2\n");
  ck_assert_str_eq (world_job (w, 2), "0 1 0 3006000 3006000 0 0 3006000 13006000 none;");
  ck_assert_ptr_nonnull (strstr (w->log->str, "3004000 forward 2.0 by 0: 0 -> 1\n"));
  ck_assert_int_eq (w->totals.n_forwarded, 1);
  world_free (w);

  w = cluster (3, "jit[redecide,redecide-margin=97ms]", BN_NS_PER_S);
  run (w, BUSY_0_AND_2 "3000000,bare10,2\n");
  ck_assert_str_eq (world_job (w, 2), "0 0 0 3004000 100002000 0 0 100002000 110002000 none;");
  ck_assert_int_eq (w->totals.n_forwarded, 0);
  world_free (w);
}
END_TEST

START_TEST (any_scheduler_s_tasks_may_be_sent_on)
{
  /* round-robin places job 2 on worker 2, job 3 on worker 0 again, which is busy */
  World *w = cluster (3, "round-robin[redecide]", 0);
  run (w, "0,bare100,0\n0,bare100,1\n0,bare10,2\n50000000,bare10,2\n");
  ck_assert_int_eq (w->totals.n_forwarded, 1);
  ck_assert_str_eq (world_job (w, 3), "0 2 0 50006000 50006000 0 0 50006000 60006000 none;");
  world_free (w);
}
END_TEST

START_TEST (an_idle_worker_asks_for_work_and_gets_what_waits_longer_than_the_way)
{
  /* Blind to loads both stay at worker 0. Worker 1 asks at 0, when nobody has a queue,
     and at 5 ms: its message is there at 5.001, the answer at 5.002, the data at
     5.004. */
  World *w = cluster (2, "compass[load=off,steal]", 0);
  run (w, "0,bare100,0\n0,bare10,0\n");
  ck_assert_str_eq (world_job (w, 1), "0 1 0 5004000 5004000 0 0 5004000 15004000 none;");
  ck_assert_ptr_nonnull (strstr (w->log->str, "5001000 steal 1.0 by 0: 0 -> 1\n"));
  ck_assert_int_eq (w->totals.n_stolen, 1);
  ck_assert_int_eq (w->totals.n_messages, 2);
  world_free (w);

  /* with free messages it is there with the data */
  w = cluster (2, "compass[load=off,steal,messages=free,steal-poll=7ms]", 0);
  run (w, "0,bare100,0\n0,bare10,0\n");
  ck_assert_str_eq (world_job (w, 1), "0 1 0 7002000 7002000 0 0 7002000 17002000 none;");
  world_free (w);
}
END_TEST

START_TEST (a_task_is_not_given_away_for_two_loads_more_than_its_wait)
{
  /* on-a waits for 95.001 ms at 5.001 and would find A loaded at worker 0 by the job
     before it (10 ms, 5 ms): worker 1 would load for 10, that counts as 20 */
  World *w = cluster (2, "compass[load=off,steal]", 0);
  run (w, "0,on-a,0\n0,on-a,0\n");
  /* the first runs until 15.002: at 5.001 the second has 10.001 to wait, at 10.001 5 */
  ck_assert_str_eq (world_job (w, 1), "0 0 0 2000 15002000 0 0 15002000 20002000 hit;");
  ck_assert_int_eq (w->totals.n_stolen, 0);
  world_free (w);

  w = cluster (2, "compass[load=off,steal]", 0);
  run (w, "0,bare100,0\n0,on-a,0\n");
  ck_assert_str_eq (world_job (w, 1), "0 1 0 5004000 5004000 0 10000000 15004000 20004000 miss;");
  world_free (w);
}
END_TEST

START_TEST (a_gift_is_one_message_also_where_it_is_a_reservation)
{
  /* At 3.002 worker 1 is busy and sees worker 0 idle, as it was 50 ms ago: a
     reservation. At 55 worker 2 sees the queue of 0: a request, and the gift. It has
     run the task at 65.004 and asks in vain, then and each 5 ms until the others end,
     as it still sees the queue. */
  World *w = cluster (3, "jit[steal,reserve=published]", 50 * MS);
  run (w, "0,bare100,0\n0,bare100,1\n3000000,bare10,1\n");
  ck_assert_ptr_nonnull (strstr (w->log->str, "3002000 place 2.0 by 1: -1 -> 0\n"));
  ck_assert_ptr_nonnull (strstr (w->log->str, "55001000 steal 2.0 by 0: 0 -> 2\n"));
  ck_assert_int_eq (w->totals.n_messages, 3 + 7);
  world_free (w);
}
END_TEST

START_TEST (who_does_not_read_loads_sees_none_whoever_else_does)
{
  /* Worker 0 is the ingress and as good as any for one that sees every worker free,
     however long its queue: thieves and forwarders need rows with loads, but the
     scheduler plans and sends on by none. */
  static const char *const variants[] = { "compass[load=off,steal,steal-poll=1s]", "compass[load=off,redecide]",
                                          "compass[load=off,reserve=own,redecide]" };

  for (guint i = 0; i < G_N_ELEMENTS (variants); i++)
    {
      World *w = cluster (2, variants[i], 0);
      run (w, "0,bare100,0\n1000,bare100,0\n2000,bare10,0\n3000,bare10,0\n");
      ck_assert_msg (strstr (w->log->str, "-> 1\n") == NULL, "%s: %s", variants[i], w->log->str);
      ck_assert_ptr_nonnull (strstr (w->log->str, " plan 3.0 by 0: -1 -> 0\n"));
      world_free (w);
    }
}
END_TEST

START_TEST (an_old_row_does_not_say_that_there_is_work_to_steal)
{
  World *w = cluster (2, "compass[load=off,steal]", 50 * MS);
  run (w, "0,bare100,0\n0,bare10,0\n");
  /* the row of 0.002 can be seen from 50.002 on: the poll at 55 ms */
  ck_assert_str_eq (world_job (w, 1), "0 1 0 55004000 55004000 0 0 55004000 65004000 none;");
  world_free (w);
}
END_TEST

START_TEST (thieves_that_find_nothing_let_the_run_end)
{
  World *w = cluster (4, "jit[steal]", 10 * MS);
  run (w, "0,bare10,0\n100000000000,bare10,0\n");
  ck_assert_int_eq (w->totals.n_done, 2);
  /* nobody polls through the hundred seconds between them */
  ck_assert_int_lt (w->totals.n_events, 100);
  world_free (w);
}
END_TEST

START_TEST (random_ties_spread_over_all_that_are_as_good)
{
  GString *jobs = g_string_new (NULL);
  for (int i = 0; i < 200; i++)
    g_string_append_printf (jobs, "%d000000,bare10,0\n", 20 * i);
  /* elsewhere is 2 us farther: no tie within a band of 1 us, one within 1 ms */
  static const char *const variants[] = { "jit[ties=random,tie-band=1us]", "jit[ties=random,tie-band=1ms]" };
  for (int v = 0; v < 2; v++)
    {
      int counts[8] = { 0 };
      World *w = cluster (8, variants[v], 0), *again = cluster (8, variants[v], 0);
      run (w, jobs->str);
      run (again, jobs->str);
      ck_assert_str_eq (w->log->str, again->log->str);
      for (int i = 0; i < 200; i++)
        counts[g_ascii_digit_value (world_job (w, i)[2])]++;
      for (int worker = 0; worker < 8; worker++)
        if (v == 0)
          ck_assert_int_eq (counts[worker], worker == 0 ? 200 : 0);
        else
          ck_assert_int_ge (counts[worker], 10);
      world_free (w);
      world_free (again);
    }
  g_string_free (jobs, TRUE);
}
END_TEST

START_TEST (the_pool_hands_tasks_to_idle_workers_in_the_order_of_keys)
{
  /* One worker; all are in the pool when it is free at 10.002: the shortest first. */
  World *w = cluster (1, "pull", 0);
  run (w, "0,bare10,0\n1000000,bare600,0\n2000000,bare20,0\n");
  ck_assert_str_eq (world_job (w, 2), "0 0 0 10002000 10002000 0 0 10002000 30002000 none;");
  ck_assert_str_eq (world_job (w, 1), "0 0 0 30002000 30002000 0 0 30002000 630002000 none;");
  world_free (w);
}
END_TEST

START_TEST (a_pooled_task_waits_for_the_worker_that_is_best_for_it)
{
  /* Worker 0 holds A from 10.002 on and is busy until 15.002; at 16 it is idle again:
     both are, and worker 0 needs no load. At 17 it is busy until 21: waiting for it
     ends at 26, loading elsewhere counts 20 and ends at 42. */
  World *w = cluster (2, "pull", 0);
  run (w, "0,on-a,0\n16000000,on-a,0\n17000000,on-a,0\n");
  ck_assert_str_eq (world_job (w, 1), "0 0 0 16002000 16002000 0 0 16002000 21002000 hit;");
  ck_assert_str_eq (world_job (w, 2), "0 0 0 21002000 21002000 0 0 21002000 26002000 hit;");
  world_free (w);
}
END_TEST

/* ---- nobody starves ---- */
typedef struct Served
{
  BnTime create_ns, enqueue_ns, start_ns;
  BnDuration runtime_ns;
} Served;

static void
note_served (void *context, const BnTask *task, BnTime now G_GNUC_UNUSED)
{
  Served served = { task->job->create_ns, task->enqueue_ns, task->start_ns, bn_task_spec (task)->runtime_ns };
  g_array_append_val (context, served);
}

/* One job of 600 ms for every 49 short ones, `gap_ms` apart, on one worker. What was
 * served, in order; (transfer full). */
static GArray *
serve (const char *variant, int gap_ms, int n)
{
  GString *jobs = g_string_new (NULL);
  for (int i = 0; i < n; i++)
    g_string_append_printf (jobs, "%d000000,%s,0\n", gap_ms * i,
                            i % 50 == 0 ? "bare600" : i % 3 ? "bare20" : "bare10");
  World *w = cluster (1, variant, 0);
  GArray *served = g_array_new (FALSE, FALSE, sizeof (Served));
  BnProbe probe = { .context = served, .task_finished = note_served };
  w->listener = &probe;
  run (w, jobs->str);
  ck_assert_uint_eq (served->len, n);
  g_string_free (jobs, TRUE);
  world_free (w);
  return served;
}

/* The slowdown that it was heading for at `now`: rank and bound are its runtime. */
static double
heading_for (const Served *t, BnTime now)
{
  return (double) (now - t->create_ns + t->runtime_ns) / (double) t->runtime_ns;
}

/* At a capacity of 1.3 queues grow and grow. A task is passed by a later one only if
 * that one is worse off, or not better off by more than h x its weight. */
START_TEST (under_key_a_task_is_passed_by_later_ones_only_within_its_weight)
{
  static const double hs[] = { 0, 4, 32, 512 };
  g_autofree char *variant = g_strdup_printf ("jit[queue=key[h=%g]]", hs[_i]);
  GArray *served = serve (variant, 20, 1500);
  BnDuration longest_ns = 0;
  guint n_passed = 0;

  for (guint i = 0; i < served->len; i++)
    {
      const Served *t = &g_array_index (served, Served, i);
      double ms = (double) t->runtime_ns / MS, weight = hs[_i] * (ms / 600) * (ms / 600);
      longest_ns = MAX (longest_ns, t->start_ns - t->enqueue_ns);
      for (guint k = 0; k < i; k++)
        {
          const Served *other = &g_array_index (served, Served, k);
          if (other->create_ns <= t->create_ns || other->start_ns < t->enqueue_ns)
            continue;
          n_passed++;
          ck_assert_double_le (heading_for (t, other->start_ns),
                               heading_for (other, other->start_ns) + weight + 1e-9);
        }
    }
  ck_assert_int_gt (longest_ns, 5 * BN_NS_PER_S); /* it was overloaded indeed */
  ck_assert_uint_gt (n_passed, 100);
  g_array_unref (served);
}
END_TEST

/* On a worker that is never idle while a task waits nobody waits longer than the
 * worker is ever busy without a break; at 0.86 of its capacity it has breaks. */
START_TEST (under_any_order_nobody_waits_longer_than_the_longest_busy_period)
{
  static const char *const orders[] = { "fifo", "srpt", "slowdown", "priority", "key[h=0]", "key", "key[h=512]" };
  const int n = 2000, gap_ms = 33;
  BnTime free_ns = 0, busy_since_ns = 0;
  BnDuration longest_busy_ns = 0;

  for (int i = 0; i < n; i++)
    {
      BnTime arrival_ns = (BnTime) gap_ms * i * MS;
      if (arrival_ns > free_ns)
        busy_since_ns = free_ns = arrival_ns;
      free_ns += (i % 50 == 0 ? 600 : i % 3 ? 20 : 10) * MS;
      longest_busy_ns = MAX (longest_busy_ns, free_ns - busy_since_ns);
    }
  ck_assert_int_lt (longest_busy_ns, (BnDuration) gap_ms * n * MS / 10);
  g_autofree char *variant = g_strdup_printf ("jit[queue=%s]", orders[_i]);
  GArray *served = serve (variant, gap_ms, n);
  for (guint i = 0; i < served->len; i++)
    {
      const Served *t = &g_array_index (served, Served, i);
      ck_assert_int_le (t->start_ns - t->enqueue_ns + t->runtime_ns, longest_busy_ns);
    }
  g_array_unref (served);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("late");
  TCase *estimate = tcase_create ("estimate"), *runs = tcase_create ("runs"), *waits = tcase_create ("waits");

  tcase_add_test (estimate, only_what_goes_before_it_counts);
  tcase_add_test (estimate, a_task_that_has_waited_goes_before_shorter_ones);
  tcase_add_test (estimate, under_fifo_and_with_ft_queue_the_whole_queue_counts);
  tcase_add_test (estimate, a_share_of_what_would_go_behind_counts_too);
  tcase_add_test (estimate, a_task_that_overruns_is_expected_to_take_as_long_again);
  tcase_add_test (estimate, two_slots_work_off_a_queue_twice_as_fast);
  tcase_add_test (estimate, classes_count_those_below_and_half_of_their_own);
  tcase_add_test (estimate, reserved_work_counts_up_to_the_first_that_comes_too_late);
  tcase_add_test (runs, a_worker_sends_a_task_on_that_was_placed_by_an_old_row);
  tcase_add_test (runs, any_scheduler_s_tasks_may_be_sent_on);
  tcase_add_test (runs, an_idle_worker_asks_for_work_and_gets_what_waits_longer_than_the_way);
  tcase_add_test (runs, a_task_is_not_given_away_for_two_loads_more_than_its_wait);
  tcase_add_test (runs, a_gift_is_one_message_also_where_it_is_a_reservation);
  tcase_add_test (runs, who_does_not_read_loads_sees_none_whoever_else_does);
  tcase_add_test (runs, an_old_row_does_not_say_that_there_is_work_to_steal);
  tcase_add_test (runs, thieves_that_find_nothing_let_the_run_end);
  tcase_add_test (runs, random_ties_spread_over_all_that_are_as_good);
  tcase_add_test (runs, the_pool_hands_tasks_to_idle_workers_in_the_order_of_keys);
  tcase_add_test (runs, a_pooled_task_waits_for_the_worker_that_is_best_for_it);
  tcase_set_timeout (waits, 60);
  tcase_add_loop_test (waits, under_key_a_task_is_passed_by_later_ones_only_within_its_weight, 0, 4);
  tcase_add_loop_test (waits, under_any_order_nobody_waits_longer_than_the_longest_busy_period, 0, 7);
  suite_add_tcase (suite, estimate);
  suite_add_tcase (suite, runs);
  suite_add_tcase (suite, waits);
  return run_suite (suite);
}
