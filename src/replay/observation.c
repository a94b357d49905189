/* observation.c: a recorded run, read back so that it can be run again.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * The catalogue is put together as text and read as any other: the reader checks it, and
 * numbers tasks as it did when the run was made. What was measured lies over it afterwards.
 */
#include "observation.h"

#include <string.h>

#include "catalogue.h"
#include "cli.h"
#include "observation_parts.h"
#include "platform_build.h"
#include "scenario_keys.h"
#include "units.h"

/* The largest scale: sizes of models and memories, and runtimes, are those of the scenario times it. */
#define MAX_SCALE 1000

gboolean
bn_observation_fail (const BnReader *reader, gint64 run, GError **error, const char *what)
{
  g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_INPUT, "%s: run %" G_GINT64_FORMAT " %s; make the file again",
               bn_reader_path (reader), run, what);
  return FALSE;
}

gboolean
bn_observation_each_row (BnReader *reader, const char *sql, gint64 run, BnObservationRow row, void *data,
                         GError **error)
{
  GError *failure = NULL;
  sqlite3_stmt *stmt = bn_reader_query (reader, sql, run, 0, error);

  if (stmt == NULL)
    return FALSE;
  while (bn_reader_step (reader, stmt, &failure))
    row (stmt, data);
  sqlite3_finalize (stmt);
  if (failure == NULL)
    return TRUE;
  g_propagate_error (error, failure);
  return FALSE;
}

gint64
bn_observation_whole (sqlite3_stmt *stmt, int column, gint64 low, gint64 high, gboolean *sound)
{
  gint64 value = sqlite3_column_int64 (stmt, column);

  if (sqlite3_column_type (stmt, column) == SQLITE_INTEGER && value >= low && value <= high)
    return value;
  *sound = FALSE;
  return low;
}

/* ---- the cluster ---- */

typedef struct Cluster
{
  GArray *groups;          /* BnServerGroup */
  BnNetwork network;
  gint64 n_workers;
  gboolean has_network, sound;
} Cluster;

/* Within what a scenario may say. */
static gint64
whole_setting (Cluster *c, sqlite3_stmt *stmt, int column, uint32_t key)
{
  BnScenarioKey limits = bn_scenario_key (key);

  return bn_observation_whole (stmt, column, (gint64) limits.min, (gint64) limits.max, &c->sound);
}

static double
real_setting (Cluster *c, sqlite3_stmt *stmt, int column, uint32_t key)
{
  BnScenarioKey limits = bn_scenario_key (key);
  double value = sqlite3_column_double (stmt, column);

  c->sound &= value >= limits.min && value <= limits.max;
  return value;
}

static void
add_group (sqlite3_stmt *stmt, void *data)
{
  Cluster *c = data;
  gint64 max_memory_bytes = MAX_SCALE * (gint64) bn_scenario_key (BN_KEY_SERVERS_MEMORY).max;
  BnServerGroup group = {
    .count = (uint32_t) whole_setting (c, stmt, 9, BN_KEY_SERVERS_COUNT),
    .devices = (uint32_t) whole_setting (c, stmt, 10, BN_KEY_SERVERS_DEVICES),
    .gpu = {
      .name = g_intern_string ((const char *) sqlite3_column_text (stmt, 0)),
      .group = g_intern_string ((const char *) sqlite3_column_text (stmt, 1)),
      .slots = (uint32_t) whole_setting (c, stmt, 2, BN_KEY_SERVERS_SLOTS),
      .memory_bytes = bn_observation_whole (stmt, 3, 1, max_memory_bytes, &c->sound),
      .speed_ppm = whole_setting (c, stmt, 4, BN_KEY_SERVERS_SPEED),
      .pcie_bytes_per_s = whole_setting (c, stmt, 5, BN_KEY_SERVERS_PCIE),
      .pcie_latency_ns = whole_setting (c, stmt, 6, BN_KEY_SERVERS_PCIE_LATENCY),
      .idle_watts = real_setting (c, stmt, 7, BN_KEY_SERVERS_IDLE_WATTS),
      .active_watts = real_setting (c, stmt, 8, BN_KEY_SERVERS_ACTIVE_WATTS),
      .price_per_hour = real_setting (c, stmt, 11, BN_KEY_SERVERS_PRICE),
    },
  };
  gint64 n_workers = (gint64) group.count * group.devices;

  /* every server of a group has as many */
  c->sound &= n_workers == sqlite3_column_int64 (stmt, 12);
  c->n_workers += n_workers;
  c->sound &= c->n_workers <= BN_PLATFORM_MAX_WORKERS;
  g_array_append_val (c->groups, group);
}

static void
read_network (sqlite3_stmt *stmt, void *data)
{
  Cluster *c = data;

  c->has_network = TRUE;
  c->network = (BnNetwork) {
    .latency_ns = whole_setting (c, stmt, 1, BN_KEY_NETWORK_LATENCY),
    .bytes_per_s = whole_setting (c, stmt, 2, BN_KEY_NETWORK_RATE),
    .small_limit_bytes = whole_setting (c, stmt, 3, BN_KEY_NETWORK_SMALL_LIMIT),
    .ramp_limit_bytes = whole_setting (c, stmt, 4, BN_KEY_NETWORK_RAMP_LIMIT),
    .ramp_base_bytes_per_s = whole_setting (c, stmt, 5, BN_KEY_NETWORK_RAMP_BASE),
    .ramp_per_kb_bytes_per_s = whole_setting (c, stmt, 6, BN_KEY_NETWORK_RAMP_PER_KB),
  };
}

static const char groups_sql[]
  = "SELECT name, server_group, slots, memory_bytes, speed_ppm, pcie_bytes_per_s, pcie_latency_ns, idle_watts,"
    " active_watts, (SELECT COUNT (DISTINCT server) FROM workers w WHERE w.run_id = ?1 AND w.gpu_type = g.gpu_type),"
    " (SELECT MAX (device) + 1 FROM workers w WHERE w.run_id = ?1 AND w.gpu_type = g.gpu_type), price_per_hour,"
    " (SELECT COUNT (*) FROM workers w WHERE w.run_id = ?1 AND w.gpu_type = g.gpu_type)"
    " FROM gpu_types g WHERE run_id = ?1 ORDER BY gpu_type";

static gboolean
read_platform (BnReader *reader, gint64 run, BnScenario *scenario, GError **error)
{
  Cluster c = { .groups = g_array_new (FALSE, FALSE, sizeof (BnServerGroup)), .sound = TRUE };
  gboolean ok = bn_observation_each_row (reader, groups_sql, run, add_group, &c, error)
                && bn_observation_each_row (reader, "SELECT * FROM networks WHERE run_id = ?1", run, read_network, &c,
                                            error);

  if (ok && !(c.sound && c.has_network && c.groups->len > 0))
    ok = bn_observation_fail (reader, run, error, "does not say what cluster it had");
  if (ok)
    scenario->platform = bn_platform_new ((const BnServerGroup *) (const void *) c.groups->data, c.groups->len,
                                          &c.network);
  g_array_unref (c.groups);
  return ok;
}

/* ---- the scheduler and the run's row ---- */

typedef struct RunRow
{
  BnScenario *scenario;
  BnObservation *observation;
  char *settings, *scheduler, *profile, *seed, *variant;
  gint64 n_unfinished;
  gboolean sound;
} RunRow;

/* The observation's text, on the model. */
static void
set_text (BnScenario *s, const char *text, const char *sha256)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      const char *instead = g_str_has_prefix (lines[i], "backend.name = ")     ? "backend.name = model"
                            : g_str_has_prefix (lines[i], "backend.verify = ") ? "backend.verify = off" : NULL;
      if (instead == NULL)
        continue;
      g_free (lines[i]);
      lines[i] = g_strdup (instead);
    }
  s->text = g_strjoinv ("\n", lines);
  g_autofree char *both = g_strconcat (s->text, sha256, NULL);
  g_autofree char *sum = g_compute_checksum_for_string (G_CHECKSUM_SHA256, both, -1);
  g_strlcpy (s->sha256, strcmp (s->text, text) == 0 ? sha256 : sum, sizeof s->sha256);
}

static void
read_run_row (sqlite3_stmt *stmt, void *data)
{
  RunRow *row = data;
  BnScenario *s = row->scenario;

  s->name = g_strdup ((const char *) sqlite3_column_text (stmt, 0));
  set_text (s, (const char *) sqlite3_column_text (stmt, 1), (const char *) sqlite3_column_text (stmt, 2));
  row->scheduler = g_strdup ((const char *) sqlite3_column_text (stmt, 3));
  row->settings = g_strdup ((const char *) sqlite3_column_text (stmt, 4));
  row->seed = g_strdup ((const char *) sqlite3_column_text (stmt, 5));
  row->observation->backend = g_strdup ((const char *) sqlite3_column_text (stmt, 6));
  s->warmup_ns = bn_observation_whole (stmt, 7, 0, BN_TIME_NEVER, &row->sound);
  s->offered_load = s->least_load = sqlite3_column_double (stmt, 8);
  row->profile = g_strdup ((const char *) sqlite3_column_text (stmt, 9));
  row->variant = g_strdup ((const char *) sqlite3_column_text (stmt, 10));
  row->n_unfinished = sqlite3_column_int64 (stmt, 11);
  row->observation->n_messages = sqlite3_column_int64 (stmt, 12);
}

static const char run_sql[]
  = "SELECT scenario, scenario_text, scenario_sha256, scheduler, settings, seed, backend, warmup_ns,"
    " IFNULL (offered_load, 0), profile, variant, IFNULL (n_unfinished, 0),"
    " IFNULL (n_messages + n_forwarded + n_stolen, 0) FROM runs WHERE run_id = ?1";

/* Its settings are all there are, so whatever the scenario's defaults were. */
static gboolean
read_variant (const RunRow *row, GError **error)
{
  BnRunOptions base = bn_variant_default_options ();
  g_auto (GStrv) lines = g_strsplit (row->settings, "\n", -1);
  GString *text = g_string_new (row->scheduler);
  const char *before = "[";

  for (guint i = 0; lines[i] != NULL; i++)
    if (strchr (lines[i], '=') != NULL)
      {
        g_string_append_printf (text, "%s%s", before, lines[i]);
        before = ",";
      }
  if (*before == ',')
    g_string_append_c (text, ']');
  BnVariant *variant = bn_variant_parse (text->str, &base, error);
  g_string_free (text, TRUE);
  if (variant == NULL)
    return FALSE;
  g_free (variant->name);
  variant->name = g_strdup (row->variant);
  row->scenario->variants = g_new0 (BnVariant *, 2);
  row->scenario->variants[row->scenario->n_variants++] = variant;
  return TRUE;
}

static gboolean
read_run (BnReader *reader, gint64 run, BnObservation *o, RunRow *row, GError **error)
{
  BnScenario *s = o->scenario;

  if (!bn_observation_each_row (reader, run_sql, run, read_run_row, row, error))
    return FALSE;
  if (row->n_unfinished > 0)
    {
      g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_INPUT,
                   "%s: run %" G_GINT64_FORMAT " was stopped with %" G_GINT64_FORMAT " jobs unfinished, which a"
                   " simulation would finish: the two cannot be compared; run it again to its end", bn_reader_path (reader), run,
                   row->n_unfinished);
      return FALSE;
    }
  s->seeds = g_new0 (uint64_t, 1);
  s->n_seeds = 1;
  if (!row->sound || !g_ascii_string_to_unsigned (row->seed, 10, 0, G_MAXUINT64, &s->seeds[0], NULL))
    return bn_observation_fail (reader, run, error, "does not say what seed and warm-up it had");
  if (!read_variant (row, error))
    {
      g_prefix_error (error, "%s: run %" G_GINT64_FORMAT ": ", bn_reader_path (reader), run);
      return FALSE;
    }
  s->options = s->variants[0]->options;
  s->record = BN_RECORD_TASKS;
  s->path = g_strdup (bn_reader_path (reader));
  s->remarks = g_new0 (char *, 1);
  return TRUE;
}

/* ---- what was measured ---- */

static gboolean
lay_profile (BnReader *reader, gint64 run, BnScenario *s, const RunRow *row, const BnProfile *profile, GError **error)
{
  const char *backend = row->observation->backend;
  g_autofree char *text = bn_observation_parameter (reader, run, "workload.scale");
  g_autofree char *pace = bn_observation_parameter (reader, run, "backend.pace");

  s->scale_ppm = BN_PPM_ONE;
  if (text != NULL && !bn_parse_multiple_ppm (text, &s->scale_ppm, error))
    return FALSE;
  if (profile != NULL)
    s->profile = bn_profile_parse (profile->text, profile->path, error);
  else if (row->profile != NULL)
    s->profile = bn_profile_parse (row->profile, bn_reader_path (reader), error);
  else
    return TRUE;
  if (s->profile == NULL || !bn_profile_serves (s->profile, backend, error)
      || !bn_profile_fit (s->profile, s->catalogue, s->scale_ppm, &s->fit, error)
      || !bn_profile_check_copies (s->profile, s->catalogue, error))
    return FALSE;
  s->backend_settings.paced = g_strcmp0 (pace, "on") == 0;
  bn_scenario_use_measured (s);
  return TRUE;
}

BnObservation *
bn_observation_read (BnReader *reader, gint64 run, const BnProfile *profile, GError **error)
{
  BnObservation *o = g_new0 (BnObservation, 1);
  RunRow row = { .observation = o, .sound = TRUE };

  row.scenario = o->scenario = bn_scenario_new ();
  gboolean ok = bn_reader_choose_run (reader, run, BN_NEEDS_TASKS, &o->run_id, error)
                && read_run (reader, o->run_id, o, &row, error)
                && read_platform (reader, o->run_id, o->scenario, error)
                && bn_observation_catalogue (reader, o->run_id, o->scenario, error)
                && lay_profile (reader, o->run_id, o->scenario, &row, profile, error)
                && bn_observation_jobs (reader, o, error);
  o->costs_hold = ok && profile == NULL && strcmp (o->backend, bn_model_backend.name) == 0
                  && o->scenario->variants[0]->options.decision_measured;
  g_free (row.settings);
  g_free (row.scheduler);
  g_free (row.profile);
  g_free (row.seed);
  g_free (row.variant);
  if (ok)
    return o;
  bn_observation_free (o);
  return NULL;
}

void
bn_observation_free (BnObservation *observation)
{
  if (observation == NULL)
    return;
  bn_scenario_free (observation->scenario);
  g_free (observation->backend);
  g_free (observation->jobs);
  g_free (observation->weights);
  g_free (observation->first_placement);
  g_free (observation->placements);
  g_free (observation);
}
