/* observation_jobs.c: the jobs of a recorded run, and where their tasks ran.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "catalogue.h"
#include "cli.h"
#include "mix.h"
#include "observation_parts.h"
#include "scenario_keys.h"

char *
bn_observation_parameter (BnReader *reader, gint64 run, const char *name)
{
  sqlite3_stmt *stmt = bn_reader_query (reader, "SELECT value FROM parameters WHERE run_id = ?1 AND source = 'scenario'"
                                                " AND name = ?2", run, 0, NULL);
  char *value = NULL;

  if (stmt != NULL)
    {
      sqlite3_bind_text (stmt, 2, name, -1, SQLITE_STATIC);
      if (bn_reader_step (reader, stmt, NULL))
        value = g_strdup ((const char *) sqlite3_column_text (stmt, 0));
    }
  sqlite3_finalize (stmt);
  return value;
}

/* ---- jobs ---- */

typedef struct Jobs
{
  const BnScenario *scenario;
  GArray *specs;          /* BnJobSpec                             */
  gboolean sound;         /* numbers are those of rows, names known */
} Jobs;

static void
add_job (sqlite3_stmt *stmt, void *data)
{
  Jobs *jobs = data;
  const BnScenario *s = jobs->scenario;
  guint n = jobs->specs->len;
  BnTime before_ns = n > 0 ? g_array_index (jobs->specs, BnJobSpec, n - 1).create_ns : 0;
  BnJobSpec spec = {
    .create_ns = bn_observation_whole (stmt, 1, before_ns, BN_ARRIVALS_LAST_NS, &jobs->sound),
    .workflow
    = (uint32_t) bn_observation_whole (stmt, 2, 0, (gint64) s->catalogue->n_workflows - 1, &jobs->sound),
    .ingress = (int32_t) bn_observation_whole (stmt, 3, 0, (gint64) s->platform->n_workers - 1, &jobs->sound),
  };

  bn_observation_whole (stmt, 0, n, n, &jobs->sound);
  g_array_append_val (jobs->specs, spec);
}

/* ---- placements ---- */

typedef struct Placements
{
  BnObservation *observation;
  gboolean sound;
} Placements;

static void
set_placement (sqlite3_stmt *stmt, void *data)
{
  Placements *p = data;
  BnObservation *o = p->observation;
  gint64 n_workers = o->scenario->platform->n_workers;
  gint64 job = bn_observation_whole (stmt, 0, 0, o->n_jobs - 1, &p->sound);
  gint64 n_tasks = o->scenario->catalogue->workflows[o->jobs[job].workflow].n_tasks;
  gint64 task = bn_observation_whole (stmt, 1, 0, n_tasks - 1, &p->sound);
  BnPlacement *placement = &o->placements[o->first_placement[job] + (gsize) task];

  placement->worker = sqlite3_column_type (stmt, 2) == SQLITE_NULL
                        ? BN_NONE : (int32_t) bn_observation_whole (stmt, 2, 0, n_workers - 1, &p->sound);
  placement->planned = sqlite3_column_int (stmt, 3) != 0;
}

static void
make_placements (BnObservation *o)
{
  gsize n = 0;

  o->first_placement = g_new (gsize, o->n_jobs + 1);
  for (gint64 j = 0; j < o->n_jobs; j++)
    {
      o->first_placement[j] = n;
      n += o->scenario->catalogue->workflows[o->jobs[j].workflow].n_tasks;
    }
  o->placements = g_new (BnPlacement, n + 1);
  for (gsize i = 0; i < n; i++)
    o->placements[i] = (BnPlacement) { BN_NONE, true };
}

static const char placements_sql[]
  = "SELECT job_id, task, worker, EXISTS (SELECT 1 FROM decisions d WHERE d.run_id = t.run_id AND d.job_id = t.job_id"
    " AND d.task = t.task AND d.kind = 'plan') FROM tasks t WHERE run_id = ?1";

/* ---- preloads and noise ---- */

typedef struct Preloads
{
  const BnScenario *scenario;
  GArray *preloads;       /* BnPreload */
  gboolean sound;
} Preloads;

static void
add_preload (sqlite3_stmt *stmt, void *data)
{
  Preloads *p = data;
  const BnScenario *s = p->scenario;
  BnPreload preload = {
    (uint32_t) bn_observation_whole (stmt, 0, 0, (gint64) s->catalogue->n_models - 1, &p->sound),
    (uint32_t) bn_observation_whole (stmt, 1, 0, (gint64) s->platform->n_workers - 1, &p->sound),
  };

  g_array_append_val (p->preloads, preload);
}

/* The value of one of the scenario's keys; its default where the run has none. */
static BnScenarioValue
value_of (BnReader *reader, gint64 run, uint32_t number)
{
  BnScenarioKey key = bn_scenario_key (number);
  BnScenarioValue value = { 0 };
  g_autofree char *name = g_strconcat (key.section, ".", key.name, NULL);
  g_autofree char *text = bn_observation_parameter (reader, run, name), *canonical = NULL;

  if (text == NULL || !bn_scenario_key_parse (&key, text, &value, &canonical, NULL))
    bn_scenario_key_parse (&key, key.usual, &value, &canonical, NULL);
  return value;
}

/* Of a simulated run the same factors are drawn again. Of a real one nothing but what was
 * measured is known. */
static void
set_noise (BnReader *reader, BnObservation *o)
{
  BnNoise *noise = &o->scenario->noise;

  *noise = (BnNoise) { .profile_error = 1, .task_cv = o->scenario->fit.cv };
  if (strcmp (o->backend, "model") != 0)
    return;
  noise->kind = (BnNoiseKind) value_of (reader, o->run_id, BN_KEY_WORKLOAD_NOISE).integer;
  noise->cv = value_of (reader, o->run_id, BN_KEY_WORKLOAD_NOISE_CV).real;
  noise->visible = value_of (reader, o->run_id, BN_KEY_WORKLOAD_NOISE_VISIBLE).integer != 0;
  noise->profile_error = value_of (reader, o->run_id, BN_KEY_WORKLOAD_PROFILE_ERROR).real;
}

/* What schedulers knew of the mix: its weights, or where a trace named workflows, nothing. A text that is no mix
 * says nothing either. */
static void
set_weights (BnReader *reader, BnObservation *o)
{
  const BnCatalogue *catalogue = o->scenario->catalogue;
  g_autofree char *mix = bn_observation_parameter (reader, o->run_id, "workload.mix");
  g_autofree char *arrivals = bn_observation_parameter (reader, o->run_id, "workload.arrivals");
  g_autofree char *column = bn_observation_parameter (reader, o->run_id, "workload.workflow-column");
  gboolean named = g_strcmp0 (arrivals, "trace") == 0 && column != NULL && *column != '\0';

  o->weights = bn_mix_read (mix != NULL && !named ? mix : "", catalogue, NULL);
  if (o->weights == NULL)
    o->weights = bn_mix_read ("", catalogue, NULL);
}

static const char jobs_sql[]
  = "SELECT job_id, create_ns, workflow, IFNULL (ingress, -1) FROM jobs WHERE run_id = ?1 ORDER BY job_id";
static const char preloads_sql[]
  = "SELECT model, worker FROM cache_events WHERE run_id = ?1 AND kind = 'preload'"
    " AND model < (SELECT COUNT (*) FROM models WHERE run_id = ?1) ORDER BY worker, event";

gboolean
bn_observation_jobs (BnReader *reader, BnObservation *o, GError **error)
{
  BnScenario *s = o->scenario;
  g_autofree char *rule = bn_observation_parameter (reader, o->run_id, "workload.runtime-factor");
  Jobs jobs = { s, g_array_new (FALSE, FALSE, sizeof (BnJobSpec)), TRUE };
  Preloads preloads = { s, g_array_new (FALSE, FALSE, sizeof (BnPreload)), TRUE };
  Placements placements = { o, TRUE };
  gboolean ok = bn_observation_each_row (reader, jobs_sql, o->run_id, add_job, &jobs, error)
                && bn_observation_each_row (reader, preloads_sql, o->run_id, add_preload, &preloads, error);

  if (ok && rule != NULL && *rule != '\0')
    {
      g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_INPUT,
                   "%s: run %" G_GINT64_FORMAT " has runtimes by workload.runtime-factor, which a replay does not know;"
                   " give a run without", bn_reader_path (reader), o->run_id);
      ok = FALSE;
    }
  o->n_jobs = jobs.specs->len;
  o->jobs = (BnJobSpec *) (void *) g_array_free (jobs.specs, FALSE);
  s->n_preloads = preloads.preloads->len;
  s->preloads = (BnPreload *) (void *) g_array_free (preloads.preloads, FALSE);
  if (ok && (!jobs.sound || o->n_jobs == 0))
    {
      g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_INPUT,
                   "%s: run %" G_GINT64_FORMAT " does not hold its jobs from the first one on, in order; check the file"
                   " with binnacle check", bn_reader_path (reader), o->run_id);
      ok = FALSE;
    }
  if (!ok)
    return FALSE;
  set_weights (reader, o);
  s->arrivals = (BnArrivalsConfig) { .kind = BN_ARRIVALS_LIST, .time_scale = 1, .max_jobs = INT64_MAX,
                                     .until_ns = BN_TIME_NEVER, .n_workers = s->platform->n_workers,
                                     .weights = o->weights, .jobs = o->jobs, .n_listed = o->n_jobs };
  set_noise (reader, o);
  make_placements (o);
  return bn_observation_each_row (reader, placements_sql, o->run_id, set_placement, &placements, error)
         && ((placements.sound && preloads.sound)
             || bn_observation_fail (reader, o->run_id, error, "has tasks or models where there are none"));
}
