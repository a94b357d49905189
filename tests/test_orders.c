/* test_orders.c: which queued task runs next, who starves, what a prefetch may take.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * One worker, so that the order of starts is the order of the queue. A client's
 * message takes 2 us, so what is created at n ms queues at n.002 ms.
 */
#include <check.h>
#include <glib.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "rng.h"
#include "suite.h"
#include "world.h"

#define MS BN_NS_PER_MS
#define MB INT64_C (1000000)

enum
{
  MODEL_A, /* 10 MB: loads in 10 ms */
  MODEL_B, /* 20 MB                 */
  MODEL_C, /* 30 MB                 */
  N_MODELS
};

/* Workflows of one task: bare1, bare2, bare3, bare5, bare10, bare20, bare100, as
 * many ms without a model; on-a, on-b, on-c: 5 ms on that model; long-a: 40 ms.
 * duo: 5 ms -> 5 ms without models. */
static World *
one_worker (int64_t memory_bytes, const char *variant)
{
  static const int bare_ms[] = { 1, 2, 3, 5, 10, 20, 100 };
  static const char *const on[] = { "on-a", "on-b", "on-c" };
  static const uint32_t zero[] = { 0 };
  BnCatalogueBuilder *b = bn_catalogue_builder_new ();
  BnServerGroup group = world_group (1, memory_bytes);

  bn_catalogue_builder_add_model (b, "A", 10 * MB);
  bn_catalogue_builder_add_model (b, "B", 20 * MB);
  bn_catalogue_builder_add_model (b, "C", 30 * MB);
  for (guint i = 0; i < G_N_ELEMENTS (bare_ms); i++)
    {
      g_autofree char *name = g_strdup_printf ("bare%d", bare_ms[i]);
      bn_catalogue_builder_add_workflow (b, name);
      bn_catalogue_builder_add_task (b, BN_NONE, 1000, 0, bare_ms[i] * MS, NULL, 0);
    }
  for (int32_t m = 0; m < N_MODELS; m++)
    {
      bn_catalogue_builder_add_workflow (b, on[m]);
      bn_catalogue_builder_add_task (b, m, 1000, 0, 5 * MS, NULL, 0);
    }
  bn_catalogue_builder_add_workflow (b, "long-a");
  bn_catalogue_builder_add_task (b, MODEL_A, 1000, 0, 40 * MS, NULL, 0);
  bn_catalogue_builder_add_workflow (b, "duo");
  bn_catalogue_builder_add_task (b, BN_NONE, 1000, 1000, 5 * MS, NULL, 0);
  bn_catalogue_builder_add_task (b, BN_NONE, 1000, 0, 5 * MS, zero, 1);

  World *w = world_new (bn_catalogue_builder_finish (b, NULL), &group, 1);
  world_schedule (w, variant);
  return w;
}

typedef struct Start
{
  int64_t job;
  unsigned task;
  BnTime start_ns;
} Start;

static gint
compare_starts (gconstpointer a, gconstpointer b)
{
  const Start *x = a, *y = b;
  return x->start_ns < y->start_ns ? -1 : x->start_ns > y->start_ns;
}

static GArray *
starts_of (World *w)
{
  GArray *starts = g_array_new (FALSE, FALSE, sizeof (Start));

  for (guint j = 0; j < w->job_rows->len; j++)
    {
      g_auto (GStrv) tasks = g_strsplit (world_job (w, j), ";", -1);
      for (char **t = tasks; *t && **t; t++)
        {
          Start start = { .job = j };
          ck_assert_int_eq (sscanf (*t, " %u %*d %*d %*d %" SCNd64, &start.task, &start.start_ns), 2);
          g_array_append_val (starts, start);
        }
    }
  g_array_sort (starts, compare_starts);
  return starts;
}

/* Runs `jobs`, "create_ms workflow, …" in order of time. Returns: (transfer
 * full): "job.task@start_ms …" in order of starts, the 2 us left out. */
static char *
order_of_starts (World *w, const char *jobs)
{
  g_auto (GStrv) each = g_strsplit (jobs, ", ", -1);
  GString *lines = g_string_new (NULL), *text = g_string_new (NULL);

  for (char **job = each; *job; job++)
    {
      char *end;
      double create_ms = g_ascii_strtod (*job, &end);
      g_string_append_printf (lines, "%" PRId64 ",%s,0\n", (BnTime) (create_ms * MS + 0.5), end + 1);
    }
  world_jobs (w, lines->str);
  g_string_free (lines, TRUE);
  ck_assert_int_eq (world_run (w), BN_RUN_COMPLETE);
  GArray *starts = starts_of (w);
  for (guint i = 0; i < starts->len; i++)
    {
      const Start *s = &g_array_index (starts, Start, i);
      ck_assert_int_eq (s->start_ns % (MS / 2), 2000);
      g_string_append_printf (text, "%s%" PRId64 ".%u@%g", i ? " " : "", s->job, s->task,
                              (double) (s->start_ns - 2000) / MS);
    }
  g_array_free (starts, TRUE);
  return g_string_free (text, FALSE);
}

static void
starts_are (const char *variant, const char *jobs, const char *expected)
{
  World *w = one_worker (100 * MB, variant);
  g_autofree char *starts = order_of_starts (w, jobs);

  ck_assert_msg (strcmp (starts, expected) == 0, "%s: %s\nexpected %s", variant, starts, expected);
  world_free (w);
}

/* ---- orders ---- */

START_TEST (srpt_runs_the_shortest_first_and_fifo_the_oldest)
{
  const char *jobs = "0 bare20, 1 bare10, 2 bare3, 3 bare5, 4 bare3";

  starts_are ("jit[queue=fifo]", jobs, "0.0@0 1.0@20 2.0@30 3.0@33 4.0@38");
  starts_are ("jit[queue=srpt]", jobs, "0.0@0 2.0@20 4.0@23 3.0@26 1.0@31");
}
END_TEST

START_TEST (srpt_counts_the_work_left_of_the_job_and_not_of_the_task)
{
  /* When job 2 ends at 8, the second task of job 0 waits since 5 and the first of
     job 1 since 1: both take 5 ms, but job 1 has 10 ms before it. */
  starts_are ("jit[queue=srpt]", "0 duo, 1 duo, 2 bare3", "0.0@0 2.0@5 0.1@8 1.0@13 1.1@18");
  starts_are ("jit[queue=fifo]", "0 duo, 1 duo, 2 bare3", "0.0@0 1.0@5 2.0@10 0.1@13 1.1@18");
}
END_TEST

START_TEST (srpt_runs_a_hit_before_a_miss_of_the_same_work)
{
  /* at 15, A is there and B is not: 5 ms against 5 + 20 */
  starts_are ("jit[queue=srpt]", "0 on-a, 1 on-b, 2 on-a", "0.0@0 2.0@15 1.0@20");
  starts_are ("jit[queue=fifo]", "0 on-a, 1 on-b, 2 on-a", "0.0@0 1.0@15 2.0@40");
  /* 10 ms of work go before a load of 20, and after one of none */
  starts_are ("jit[queue=srpt]", "0 on-a, 1 on-b, 2 bare10, 3 on-a", "0.0@0 3.0@15 2.0@20 1.0@30");
}
END_TEST

START_TEST (slowdown_runs_the_job_furthest_beyond_its_lower_bound_anew_at_each_start)
{
  /* At 20: job 1 is at (20 + 10) / 10 = 3, job 2 at (5 + 2) / 2 = 3.5, job 3 at
     (0.5 + 1) / 1 = 1.5. At 22: job 1 at 3.2, job 3 at 3.5. */
  const char *jobs = "0 bare20, 0 bare10, 15 bare2, 19.5 bare1";

  starts_are ("jit[queue=slowdown]", jobs, "0.0@0 2.0@20 3.0@22 1.0@23");
  starts_are ("jit[queue=srpt]", jobs, "0.0@0 3.0@20 2.0@21 1.0@23");
  starts_are ("jit[queue=fifo]", jobs, "0.0@0 1.0@20 2.0@30 3.0@32");
}
END_TEST

/* Gives each job the priority (7 id) mod 5. */
static uint32_t
no_traits (void *state G_GNUC_UNUSED, const BnSchedSetup *setup G_GNUC_UNUSED)
{
  return 0;
}

static void
place_with_priority (void *state G_GNUC_UNUSED, const BnPlaceCall *call)
{
  call->host->place (call->host, call->tasks[0], 0, (int32_t) (7 * call->job->id % 5));
}

START_TEST (priority_runs_what_the_scheduler_put_highest_and_equals_in_order_of_entry)
{
  BnScheduler scheduler
    = { .struct_size = sizeof scheduler, .name = "by-id", .init = no_traits, .place = place_with_priority };
  World *w = one_worker (100 * MB, "jit[queue=priority]");
  BnVariant by_id = { .scheduler = &scheduler, .options = w->variant->options };
  BnVariant *jit = w->variant;

  /* priorities 0 2 4 1 3 0 2 */
  w->variant = &by_id;
  g_autofree char *starts
    = order_of_starts (w, "0 bare20, 1 bare1, 2 bare1, 3 bare1, 4 bare1, 5 bare1, 6 bare1");
  ck_assert_str_eq (starts, "0.0@0 2.0@20 4.0@21 1.0@22 6.0@23 3.0@24 5.0@25");
  w->variant = jit;
  world_free (w);
}
END_TEST

START_TEST (the_order_is_chosen_for_each_variant_over_the_default_of_the_scenario)
{
  static const char *const expected[] = { "0.0@0 2.0@20 1.0@21", "0.0@0 1.0@20 2.0@30", "0.0@0 2.0@20 1.0@21" };
  static const char *const variants[] = { "jit", "jit[queue=fifo]", "hash[modulo,queue=srpt]" };

  for (guint i = 0; i < G_N_ELEMENTS (variants); i++)
    {
      World *w = one_worker (100 * MB, "jit[queue=srpt]");
      w->config.options = w->variant->options;
      world_schedule (w, variants[i]);
      g_autofree char *starts = order_of_starts (w, "0 bare20, 1 bare10, 2 bare1");
      ck_assert_str_eq (starts, expected[i]);
      world_free (w);
    }
}
END_TEST

/* ---- starvation ---- */

/* `n` short tasks of 5 ms, one each 4 ms, and a task of 100 ms created at 1 ms.
 * Returns: when that one starts. */
static BnTime
start_of_the_long_task (const char *variant, int n)
{
  World *w = one_worker (100 * MB, variant);
  GString *jobs = g_string_new ("0 bare5, 1 bare100");

  for (int i = 1; i < n; i++)
    g_string_append_printf (jobs, ", %d bare5", 4 * i);
  g_autofree char *starts = order_of_starts (w, jobs->str);
  const char *at = strstr (starts, " 1.0@");
  ck_assert_ptr_nonnull (at);
  BnTime start_ns = (BnTime) (g_ascii_strtod (at + strlen (" 1.0@"), NULL) * MS + 0.5);
  g_string_free (jobs, TRUE);
  world_free (w);
  return start_ns;
}

START_TEST (no_task_starves_under_srpt_with_ageing)
{
  /* At 5 k ms the long task has waited 5 k - 1 and the oldest short one, created
     at 4 k, has waited k. With ageing over 200 ms: 100 (201 - 5 k) against
     5 (200 - k): at 190, 5.5 against 4.05 s, at 195, 3 against 4.025. */
  ck_assert_int_eq (start_of_the_long_task ("jit[queue=srpt,queue-ageing=200ms]", 100), 195 * MS);
  ck_assert_int_eq (start_of_the_long_task ("jit[queue=srpt,queue-ageing=200ms]", 1000), 195 * MS);
  for (int ageing_ms = 1; ageing_ms < 400; ageing_ms += 13)
    {
      g_autofree char *variant = g_strdup_printf ("jit[queue=srpt,queue-ageing=%dms]", ageing_ms);
      BnTime start_ns = start_of_the_long_task (variant, 120);
      /* one short task may be running when its time has come */
      ck_assert_int_le (start_ns, (1 + ageing_ms + 5) * MS);
      ck_assert_int_ge (start_ns, 5 * MS);
    }
}
END_TEST

START_TEST (without_ageing_a_long_task_waits_for_all_the_short_ones)
{
  ck_assert_int_eq (start_of_the_long_task ("jit[queue=srpt,queue-ageing=86400s]", 100), 500 * MS);
  ck_assert_int_eq (start_of_the_long_task ("jit[queue=srpt,queue-ageing=86400s]", 300), 1500 * MS);
  ck_assert_int_eq (start_of_the_long_task ("jit[queue=fifo]", 300), 5 * MS);
}
END_TEST

START_TEST (ageing_of_a_nanosecond_is_order_of_entry)
{
  World *fifo = one_worker (35 * MB, "jit[queue=fifo]");
  World *aged = one_worker (35 * MB, "jit[queue=srpt,queue-ageing=1ns]");
  World *srpt = one_worker (35 * MB, "jit[queue=srpt]");
  World *const worlds[] = { fifo, aged, srpt };

  for (guint i = 0; i < G_N_ELEMENTS (worlds); i++)
    {
      worlds[i]->arrivals.rate_per_s = 60;
      worlds[i]->arrivals.max_jobs = 300;
      ck_assert_int_eq (world_run (worlds[i]), BN_RUN_COMPLETE);
    }
  ck_assert_str_eq (aged->rows->str, fifo->rows->str);
  ck_assert_str_ne (srpt->rows->str, fifo->rows->str);
  for (guint i = 0; i < G_N_ELEMENTS (worlds); i++)
    world_free (worlds[i]);
}
END_TEST

/* ---- prefetch ---- */

static int
times_in (const char *text, const char *part)
{
  int n = 0;

  for (const char *at = strstr (text, part); at; at = strstr (at + 1, part))
    n++;
  return n;
}

START_TEST (prefetch_leaves_the_model_that_the_next_task_finds_there)
{
  static const char *const evictions[] = { "fifo", "lru", "lookahead" };

  for (guint i = 0; i < G_N_ELEMENTS (evictions); i++)
    {
      /* Memory for A and B, both there from the start. Job 0 runs on A until
         40; jobs 1 and 2 wait for B and C. Loading C could only rob job 1 of B,
         so nothing is loaded. From 40 job 1 runs: A could leave, but that is 10
         of the 30 MB that C needs, and B stays; so C waits until 45. */
      BnPreload preloads[] = { { MODEL_A, 0 }, { MODEL_B, 0 } };
      g_autofree char *variant = g_strdup_printf ("jit[prefetch=next,evict=%s]", evictions[i]);
      World *w = one_worker (30 * MB, variant);
      w->config.preloads = preloads;
      w->config.n_preloads = 2;
      g_autofree char *starts = order_of_starts (w, "0 long-a, 1 on-b, 2 on-c");
      ck_assert_str_eq (starts, "0.0@0 1.0@40 2.0@45");
      ck_assert_str_eq (world_job (w, 1), "0 0 0 1002000 40002000 0 0 40002000 45002000 hit;");
      ck_assert_str_eq (world_job (w, 2), "0 0 0 2002000 45002000 0 30000000 75002000 80002000 miss;");
      ck_assert_int_eq (times_in (w->log->str, "prefetch"), 0);
      world_free (w);

      /* with 20 MB more, A makes room for C while job 1 runs */
      w = one_worker (50 * MB, variant);
      w->config.preloads = preloads;
      w->config.n_preloads = 2;
      g_free (g_steal_pointer (&starts));
      starts = order_of_starts (w, "0 long-a, 1 on-b, 2 on-c");
      ck_assert_str_eq (starts, "0.0@0 1.0@40 2.0@45");
      ck_assert_str_eq (world_job (w, 1), "0 0 0 1002000 40002000 0 0 40002000 45002000 hit;");
      ck_assert_str_eq (world_job (w, 2), "0 0 0 2002000 45002000 0 25000000 70002000 75002000 joined;");
      ck_assert_ptr_nonnull (strstr (w->log->str, "prefetch loaded C at 0 since 40002000"));
      world_free (w);
    }
}
END_TEST

START_TEST (prefetch_goes_by_the_order_of_the_queue_and_not_of_entry)
{
  /* From 20 on job 1 runs and C and B are waited for, C first; B is there, and 40
     MB do not hold both. Under fifo C comes next and takes the room of B. Under
     srpt B comes next, so that C is loaded only when B is no longer needed. */
  static const char *const jobs = "0 bare20, 1 bare3, 2 on-c, 3 on-b";
  BnPreload preload = { MODEL_B, 0 };
  World *w = one_worker (40 * MB, "jit[prefetch=next,queue=fifo]");

  w->config.preloads = &preload;
  w->config.n_preloads = 1;
  g_autofree char *fifo = order_of_starts (w, jobs);
  ck_assert_str_eq (fifo, "0.0@0 1.0@20 2.0@23 3.0@55");
  ck_assert_str_eq (world_job (w, 2), "0 0 0 2002000 23002000 0 27000000 50002000 55002000 joined;");
  ck_assert_str_eq (world_job (w, 3), "0 0 0 3002000 55002000 0 20000000 75002000 80002000 miss;");
  ck_assert_ptr_nonnull (strstr (w->log->str, "20002000 prefetch evicted B"));
  world_free (w);

  w = one_worker (40 * MB, "jit[prefetch=next,queue=srpt]");
  w->config.preloads = &preload;
  w->config.n_preloads = 1;
  g_autofree char *srpt = order_of_starts (w, jobs);
  ck_assert_str_eq (srpt, "0.0@0 1.0@20 3.0@23 2.0@28");
  ck_assert_str_eq (world_job (w, 3), "0 0 0 3002000 23002000 0 0 23002000 28002000 hit;");
  ck_assert_str_eq (world_job (w, 2), "0 0 0 2002000 28002000 0 30000000 58002000 63002000 miss;");
  ck_assert_ptr_null (strstr (w->log->str, "prefetch"));
  world_free (w);
}
END_TEST

START_TEST (prefetch_loads_one_model_at_a_time_and_only_while_a_task_runs)
{
  World *w = one_worker (100 * MB, "jit[prefetch=next]");
  /* B's prefetch runs from 1 to 21, job 0 until 50 (10 of load, 40 of work). Job
     2 is not next until job 1 has started, at 50; job 1 ends at 55. */
  g_autofree char *starts = order_of_starts (w, "0 long-a, 1 on-b, 2 on-c");

  ck_assert_str_eq (starts, "0.0@0 1.0@50 2.0@55");
  ck_assert_str_eq (world_job (w, 1), "0 0 0 1002000 50002000 0 0 50002000 55002000 hit;");
  ck_assert_str_eq (world_job (w, 2), "0 0 0 2002000 55002000 0 25000000 80002000 85002000 joined;");
  ck_assert_ptr_nonnull (strstr (w->log->str, "21002000 prefetch loaded B at 0 since 1002000"));
  ck_assert_ptr_nonnull (strstr (w->log->str, "80002000 prefetch loaded C at 0 since 50002000"));
  world_free (w);

  /* Under srpt B comes before C from 2 on, but C's load is under way; once it is
     done C comes first. */
  w = one_worker (100 * MB, "jit[prefetch=next,queue=srpt]");
  g_free (g_steal_pointer (&starts));
  starts = order_of_starts (w, "0 long-a, 1 on-c, 2 on-b");
  ck_assert_str_eq (starts, "0.0@0 1.0@50 2.0@55");
  ck_assert_ptr_nonnull (strstr (w->log->str, "31002000 prefetch loaded C at 0 since 1002000"));
  ck_assert_ptr_nonnull (strstr (w->log->str, "70002000 prefetch loaded B at 0 since 50002000"));
  world_free (w);
}
END_TEST

/* ---- prefetch in random runs ---- */

#define N_JOBS 300

typedef struct Stay
{
  char model;             /* or '-' */
  BnTime enqueue_ns, start_ns;
} Stay;

/* Jobs of one task at random times, no two at the same. */
static void
random_jobs (World *w, BnRng *rng, Stay *stays)
{
  static const char *const workflows[] = { "on-a", "on-b", "on-c", "long-a", "bare5" };
  GString *lines = g_string_new (NULL);
  BnTime now = 0;

  for (int j = 0; j < N_JOBS; j++)
    {
      uint64_t pick = bn_rng_below (rng, G_N_ELEMENTS (workflows));
      now += 1 + (BnTime) bn_rng_below (rng, 50 * MS);
      stays[j].model = "ABCA-"[pick];
      g_string_append_printf (lines, "%" PRId64 ",%s,0\n", now, workflows[pick]);
    }
  world_jobs (w, lines->str);
  g_string_free (lines, TRUE);
}

/* Holds every eviction for a prefetch to the queue of that instant, in order of
 * entry: what is loaded is for its first task, so that no earlier one loses.
 * Returns: the number of these evictions. */
static int
check_prefetches (const World *w, const Stay *stays)
{
  g_auto (GStrv) lines = g_strsplit (w->log->str, "\n", -1);
  int n = 0;

  for (char **line = lines; *line; line++)
    {
      BnTime at_ns;
      char evicted, loaded = 0;
      if (sscanf (*line, "%" SCNd64 " prefetch evicted %c", &at_ns, &evicted) != 2)
        continue;
      for (char **later = line; *later && !loaded; later++)
        {
          BnTime since_ns;
          char model;
          if (sscanf (*later, "%*d prefetch loaded %c at 0 since %" SCNd64, &model, &since_ns) == 2
              && since_ns == at_ns)
            loaded = model;
        }
      char first = 0;
      for (int j = 0; j < N_JOBS && !first; j++)
        if (stays[j].enqueue_ns <= at_ns && stays[j].start_ns > at_ns)
          first = stays[j].model;
      ck_assert_msg (first && first == loaded && first != evicted,
                     "at %" PRId64 " %c left for %c, and the first in the queue needs %c", at_ns, evicted, loaded,
                     first ? first : '0');
      n++;
    }
  return n;
}

START_TEST (prefetch_never_evicts_what_an_earlier_queued_task_needs)
{
  static const char *const evictions[] = { "fifo", "lru", "lookahead" };
  BnRng rng;

  bn_rng_init (&rng, 5, "prefetch");
  for (guint i = 0; i < 3 * G_N_ELEMENTS (evictions); i++)
    {
      Stay stays[N_JOBS];
      g_autofree char *variant = g_strdup_printf ("jit[prefetch=next,evict=%s]", evictions[i / 3]);
      World *w = one_worker (50 * MB, variant);
      random_jobs (w, &rng, stays);
      ck_assert_int_eq (world_run (w), BN_RUN_COMPLETE);
      for (int j = 0; j < N_JOBS; j++)
        ck_assert_int_eq (sscanf (world_job (w, j), "%*d %*d %*d %" SCNd64 " %" SCNd64, &stays[j].enqueue_ns,
                                  &stays[j].start_ns),
                          2);
      ck_assert_int_gt (check_prefetches (w, stays), 10);
      world_free (w);
    }
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("orders");
  TCase *tc = tcase_create ("worked by hand");

  tcase_set_timeout (tc, 120);
  tcase_add_test (tc, srpt_runs_the_shortest_first_and_fifo_the_oldest);
  tcase_add_test (tc, srpt_counts_the_work_left_of_the_job_and_not_of_the_task);
  tcase_add_test (tc, srpt_runs_a_hit_before_a_miss_of_the_same_work);
  tcase_add_test (tc, slowdown_runs_the_job_furthest_beyond_its_lower_bound_anew_at_each_start);
  tcase_add_test (tc, priority_runs_what_the_scheduler_put_highest_and_equals_in_order_of_entry);
  tcase_add_test (tc, the_order_is_chosen_for_each_variant_over_the_default_of_the_scenario);
  tcase_add_test (tc, no_task_starves_under_srpt_with_ageing);
  tcase_add_test (tc, without_ageing_a_long_task_waits_for_all_the_short_ones);
  tcase_add_test (tc, ageing_of_a_nanosecond_is_order_of_entry);
  tcase_add_test (tc, prefetch_leaves_the_model_that_the_next_task_finds_there);
  tcase_add_test (tc, prefetch_goes_by_the_order_of_the_queue_and_not_of_entry);
  tcase_add_test (tc, prefetch_loads_one_model_at_a_time_and_only_while_a_task_runs);
  tcase_add_test (tc, prefetch_never_evicts_what_an_earlier_queued_task_needs);
  suite_add_tcase (suite, tc);
  return run_suite (suite);
}
