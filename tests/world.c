/* world.c: a small cluster and its jobs, for tests of the run.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "world.h"

#include <check.h>
#include <glib/gstdio.h>
#include <inttypes.h>
#include <string.h>

#include "invariants.h"

BnServerGroup
world_group (uint32_t count, int64_t memory_bytes)
{
  return (BnServerGroup){ count, 1,
                          { .name = "gpu", .group = "gpu", .memory_bytes = memory_bytes, .speed_ppm = BN_PPM_ONE,
                            .pcie_bytes_per_s = 1000000000, .slots = 1, .idle_watts = 10, .active_watts = 100 } };
}

BnNetwork
world_network (void)
{
  return (BnNetwork){ .latency_ns = 1000, .bytes_per_s = 1000000000 };
}

World *
world_new (BnCatalogue *catalogue, const BnServerGroup *groups, uint32_t n_groups)
{
  World *w = g_new0 (World, 1);
  BnNetwork network = world_network ();

  ck_assert_ptr_nonnull (catalogue);
  w->catalogue = catalogue;
  w->platform = bn_platform_new (groups, n_groups, &network);
  w->weights = g_new (double, catalogue->n_workflows);
  for (uint32_t f = 0; f < catalogue->n_workflows; f++)
    w->weights[f] = 1;
  w->arrivals = (BnArrivalsConfig){ .kind = BN_ARRIVALS_POISSON, .rate_per_s = 1, .time_scale = 1,
                                    .weights = w->weights, .max_jobs = 1, .until_ns = BN_TIME_NEVER };
  w->config = (BnRunConfig){ .platform = w->platform, .catalogue = catalogue, .arrivals = &w->arrivals, .seed = 1,
                             .debug_check = true };
  w->config.options = bn_variant_default_options ();
  w->config.options.evict_cost = BN_EVICT_COST_FREE;
  w->config.options.load_spread.period_ns = w->config.options.cache_spread.period_ns = 0;
  w->rows = g_string_new (NULL);
  w->log = g_string_new (NULL);
  w->job_rows = g_ptr_array_new_with_free_func (g_free);
  return w;
}

void
world_free (World *w)
{
  if (w->jobs_path)
    {
      g_unlink (w->jobs_path);
      g_autofree char *dir = g_path_get_dirname (w->jobs_path);
      g_rmdir (dir);
    }
  g_free (w->jobs_path);
  g_free (w->weights);
  bn_variant_free (w->variant);
  bn_platform_free (w->platform);
  bn_catalogue_free (w->catalogue);
  g_string_free (w->rows, TRUE);
  g_string_free (w->log, TRUE);
  g_ptr_array_unref (w->job_rows);
  g_free (w);
}

void
world_schedule (World *w, const char *variant)
{
  GError *error = NULL;

  bn_variant_free (w->variant);
  w->variant = bn_variant_parse (variant, &w->config.options, &error);
  ck_assert_msg (w->variant != NULL, "%s", error ? error->message : "");
}

World *
world_queue (BnDuration service_ns, uint32_t servers, double load, BnNoise noise)
{
  BnCatalogueBuilder *b = bn_catalogue_builder_new ();
  BnServerGroup group = world_group (1, 0);

  group.gpu.slots = servers;
  bn_catalogue_builder_add_workflow (b, "customer");
  bn_catalogue_builder_add_task (b, BN_NONE, 0, 0, service_ns, NULL, 0);
  World *w = world_new (bn_catalogue_builder_finish (b, NULL), &group, 1);
  w->platform->network.latency_ns = 0;
  w->platform->network.small_limit_bytes = 1;
  world_schedule (w, "jit");
  w->arrivals.rate_per_s = load * servers / ((double) service_ns / 1e9);
  w->config.noise = noise;
  return w;
}

void
world_serve (World *w, int64_t n, uint64_t seed, const BnProbe *probe)
{
  w->arrivals.max_jobs = n;
  w->config.scheduler = w->variant->scheduler;
  w->config.params = w->variant->params;
  w->config.probes = probe;
  w->config.n_probes = 1;
  w->config.debug_check = false;
  w->config.seed = seed;
  BnRun *run = bn_run_new (&w->config, NULL);
  ck_assert_int_eq (bn_run_execute (run, NULL), BN_RUN_COMPLETE);
  ck_assert_int_eq (bn_run_totals (run)->n_done, n);
  bn_run_free (run);
}

void
world_jobs (World *w, const char *lines)
{
  g_autofree char *dir = g_dir_make_tmp ("bn-world-XXXXXX", NULL);
  g_autofree char *text = g_strconcat ("create_ns,workflow,ingress\n", lines, NULL);

  w->jobs_path = g_build_filename (dir, "jobs.csv", NULL);
  ck_assert (g_file_set_contents (w->jobs_path, text, -1, NULL));
  w->arrivals.kind = BN_ARRIVALS_TRACE;
  w->arrivals.trace_path = w->jobs_path;
  w->arrivals.time_column = "create_ns";
  w->arrivals.time_unit_ns = 1;
  w->arrivals.workflow_column = "workflow";
  w->arrivals.ingress_column = "ingress";
  w->arrivals.max_jobs = INT64_MAX;
}

static void
decided (void *context, const BnDecision *d)
{
  static const char *const kinds[] = { "plan", "place", "pull", "forward", "steal", "review", "retry" };
  World *w = context;

  g_string_append_printf (w->log, "%" PRId64 " %s %" PRId64 ".%u by %d: %d -> %d\n", d->effect_ns, kinds[d->kind],
                          d->job->id, d->task, d->observer, d->from_worker, d->worker);
}

static void
moved (void *context, const BnTransfer *t)
{
  World *w = context;

  g_string_append_printf (w->log, "%" PRId64 " moved %" PRId64 ".%u input %d: %d -> %d, %" PRId64 " bytes%s\n",
                          t->end_ns, t->job->id, t->task, t->pred, t->from_worker, t->to_worker, t->bytes,
                          t->voided ? ", void" : "");
}

static void
cache_changed (void *context, const BnCacheEvent *e)
{
  static const char *const kinds[] = { "loaded", "evicted", "preloaded" };
  World *w = context;

  g_string_append_printf (w->log, "%" PRId64 " %s%s %s at %u since %" PRId64 ", %" PRId64 " bytes held\n", e->end_ns,
                          e->prefetch ? "prefetch " : "", kinds[e->kind], w->catalogue->models[e->model].name,
                          e->worker, e->start_ns, e->resident_bytes);
}

static void
job_ended (void *context, const BnJob *job, BnTime now)
{
  World *w = context;
  GString *text = g_string_new (NULL);

  for (uint32_t t = 0; t < job->workflow->n_tasks; t++)
    {
      const BnTask *k = &job->tasks[t];
      if (k->state != BN_TASK_DONE)
        g_string_append_printf (text, "%u not done; ", t);
      else
        g_string_append_printf (text,
                                "%u %d %d %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64
                                " %s; ",
                                t, k->worker, k->planned_worker, k->enqueue_ns, k->start_ns, k->evict_ns, k->fetch_ns,
                                k->exec_ns, k->end_ns, bn_access_name ((BnAccess) k->access));
    }
  if (job->state != BN_JOB_DONE)
    g_string_append_printf (text, "%s %s", bn_job_state_name ((BnJobState) job->state),
                            bn_reason_name ((BnReason) job->reason));
  g_strchomp (text->str);
  while (w->job_rows->len <= job->id)
    g_ptr_array_add (w->job_rows, NULL);
  ck_assert_ptr_null (w->job_rows->pdata[job->id]);
  w->job_rows->pdata[job->id] = g_string_free (text, FALSE);
  g_string_append_printf (w->log, "%" PRId64 " ended %" PRId64 " %s\n", now, job->id,
                          bn_job_state_name ((BnJobState) job->state));
}

BnRunStatus
world_run (World *w)
{
  BnInvariants *invariants = bn_invariants_new (w->platform, w->catalogue);
  BnProbe probes[] = { { .context = w,
                         .task_decided = decided,
                         .transfer = moved,
                         .cache_event = cache_changed,
                         .job_ended = job_ended },
                       *bn_invariants_probe (invariants),
                       w->listener ? *w->listener : (BnProbe){ 0 } };
  GError *error = NULL;

  g_string_truncate (w->log, 0);
  g_ptr_array_set_size (w->job_rows, 0);
  w->config.scheduler = w->variant->scheduler;
  w->config.params = w->variant->params;
  w->config.options = w->variant->options;
  w->config.probes = probes;
  w->config.n_probes = G_N_ELEMENTS (probes);
  BnRun *run = bn_run_new (&w->config, &error);
  ck_assert_msg (run != NULL, "%s", error ? error->message : "");
  BnRunStatus status = bn_run_execute (run, &error);
  g_clear_error (&error);
  w->totals = *bn_run_totals (run);
  w->violations = bn_invariants_violations (invariants);
  ck_assert_msg (w->violations == 0, "%s", (const char *) bn_invariants_messages (invariants)->pdata[0]);
  g_string_truncate (w->rows, 0);
  for (guint i = 0; i < w->job_rows->len; i++)
    g_string_append_printf (w->rows, "%u: %s\n", i, w->job_rows->pdata[i] ? (char *) w->job_rows->pdata[i] : "lost");
  bn_run_free (run);
  bn_invariants_free (invariants);
  return status;
}

const char *
world_job (const World *w, int64_t job)
{
  ck_assert_int_lt (job, w->job_rows->len);
  return w->job_rows->pdata[job];
}
