/* scenario.c: a scenario file, read and checked.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "scenario.h"

#include <string.h>

#include "catalogue.h"
#include "exec_scheduler.h"
#include "platform_build.h"
#include "scenario_parts.h"
#include "units.h"

#define MAX_SEEDS 10000

/* A scenario and what its borrowed pointers point to. */
typedef struct OwnedScenario
{
  BnScenario scenario;
  GStringChunk *strings;
  double *weights;
} OwnedScenario;

static gboolean
parse_seed (const BnSettings *s, const char *text, int64_t *ret, GError **error)
{
  if (!bn_parse_integer (text, ret, error))
    return bn_settings_prefix (s, BN_KEY_SCENARIO_SEEDS, error);
  return *ret >= 0 || bn_settings_fail (s, BN_KEY_SCENARIO_SEEDS, 0, error,
                                        "a seed is 0 or more; write 1 2 3 or 1..10");
}

/* "7" or "1..10". */
static gboolean
add_seeds (const BnSettings *s, char *item, GArray *seeds, GError **error)
{
  int64_t first, last;
  char *dots = strstr (item, "..");
  if (dots != NULL)
    *dots = '\0';
  if (!parse_seed (s, item, &first, error))
    return FALSE;
  last = first;
  if (dots != NULL && !parse_seed (s, dots + 2, &last, error))
    return FALSE;
  if (last < first || last - first >= MAX_SEEDS - (int64_t) seeds->len)
    return bn_settings_fail (s, BN_KEY_SCENARIO_SEEDS, 0, error,
                             "a range runs upwards, and there are at most %d seeds",
                             MAX_SEEDS);
  for (int64_t i = 0; i <= last - first; i++)
    {
      uint64_t seed = (uint64_t) (first + i);
      for (guint j = 0; j < seeds->len; j++)
        if (g_array_index (seeds, uint64_t, j) == seed)
          return bn_settings_fail (s, BN_KEY_SCENARIO_SEEDS, 0, error,
                                   "seed %" G_GUINT64_FORMAT " is named twice; name it once", seed);
      g_array_append_val (seeds, seed);
    }
  return TRUE;
}

static gboolean
read_seeds (const BnSettings *s, BnScenario *scenario, GError **error)
{
  GArray *seeds = g_array_new (FALSE, FALSE, sizeof (uint64_t));
  char **items = g_strsplit_set (bn_settings_text (s, BN_KEY_SCENARIO_SEEDS, 0), " \t,", -1);
  gboolean ok = TRUE;
  for (guint i = 0; items[i] != NULL && ok; i++)
    ok = *items[i] == '\0' || add_seeds (s, items[i], seeds, error);
  g_strfreev (items);
  if (ok && seeds->len == 0)
    ok = bn_settings_fail (s, BN_KEY_SCENARIO_SEEDS, 0, error, "names no seed; write 1, say");
  scenario->n_seeds = seeds->len;
  scenario->seeds = (uint64_t *) (void *) g_array_free (seeds, FALSE);
  return ok;
}

/* Blanks stand between names; each is a path. */
static gboolean
read_plugins (const BnSettings *s, BnScenario *scenario, GChecksum *checksum, GError **error)
{
  g_auto (GStrv) names = g_strsplit_set (bn_settings_text (s, BN_KEY_SCHEDULERS_PLUGINS, 0), " \t", -1);
  gboolean ok = TRUE;

  scenario->plugins = bn_plugins_new ();
  for (guint i = 0; names[i] != NULL && ok; i++)
    {
      g_autofree char *path = bn_settings_path (s, BN_KEY_SCHEDULERS_PLUGINS, names[i]);
      ok = *names[i] == '\0' || bn_plugins_add (scenario->plugins, path, checksum, error);
    }
  return ok;
}

static char *
path_of_command (const char *path, gpointer settings)
{
  return bn_settings_path (settings, BN_KEY_SCHEDULERS_COMPARE, path);
}

/* A variant of a scheduler in another process, LABEL: exec:COMMAND[…], brings the scheduler with it. */
static gboolean
read_exec (const BnSettings *s, BnScenario *scenario, const char *text, GError **error)
{
  const char *command = text, *colon = strchr (text, ':');

  if (!g_str_has_prefix (text, BN_EXEC_PREFIX) && colon != NULL)
    command = colon + 1 + strspn (colon + 1, " \t");
  if (!g_str_has_prefix (command, BN_EXEC_PREFIX))
    return TRUE;
  g_autofree char *name = g_strchomp (g_strndup (command, strcspn (command, "[")));
  return bn_plugins_add_exec (scenario->plugins, name, path_of_command, (gpointer) s, error)
         || bn_settings_prefix (s, BN_KEY_SCHEDULERS_COMPARE, error);
}

static gboolean
read_variants (const BnSettings *s, BnScenario *scenario, GError **error)
{
  char **list = bn_variant_split (bn_settings_text (s, BN_KEY_SCHEDULERS_COMPARE, 0));
  gboolean ok = *list != NULL
                || bn_settings_fail (s, BN_KEY_SCHEDULERS_COMPARE, 0, error,
                                     "names no scheduler; write compass, jit, say");
  scenario->variants = g_new0 (BnVariant *, g_strv_length (list) + 1);
  for (guint i = 0; list[i] != NULL && ok; i++)
    {
      if (!read_exec (s, scenario, list[i], error))
        {
          ok = FALSE;
          break;
        }
      BnVariant *variant = bn_variant_parse_among (list[i], bn_plugins_schedulers (scenario->plugins),
                                                   &scenario->options, error);
      if (variant == NULL)
        ok = bn_settings_prefix (s, BN_KEY_SCHEDULERS_COMPARE, error);
      for (uint32_t j = 0; j < scenario->n_variants && ok; j++)
        if (strcmp (scenario->variants[j]->name, variant->name) == 0)
          ok = bn_settings_fail (s, BN_KEY_SCHEDULERS_COMPARE, 0, error,
                                 "'%s' is there twice; remove one or write LABEL: in front of it", variant->name);
      if (variant != NULL)
        scenario->variants[scenario->n_variants++] = variant;
    }
  g_strfreev (list);
  return ok;
}

static void
set_name (const BnSettings *s, BnScenario *scenario)
{
  const char *name = bn_settings_text (s, BN_KEY_SCENARIO_NAME, 0);
  char *file = g_path_get_basename (scenario->path);
  if (*name == '\0' && g_str_has_suffix (file, ".ini"))
    file[strlen (file) - strlen (".ini")] = '\0';
  scenario->name = g_strdup (*name == '\0' ? file : name);
  g_free (file);
}

static gboolean
read_all (BnSettings *s, OwnedScenario *o, GChecksum *checksum, GError **error)
{
  BnScenario *scenario = &o->scenario;
  set_name (s, scenario);
  if (!bn_scenario_backend (s, scenario, error))
    return FALSE;
  /* most have none, and say nothing of it */
  if (*bn_settings_text (s, BN_KEY_SCHEDULERS_PLUGINS, 0) == '\0')
    bn_settings_hide (s, BN_KEY_SCHEDULERS_PLUGINS);
  scenario->text = bn_settings_canonical (s);
  scenario->options = *bn_settings_options (s);
  scenario->record = (BnRecord) bn_settings_integer (s, BN_KEY_SCENARIO_RECORD, 0);
  scenario->warmup_ns = bn_scenario_slowed (s, bn_settings_integer (s, BN_KEY_SCENARIO_WARMUP, 0));
  scenario->warmup_share = bn_settings_real (s, BN_KEY_SCENARIO_WARMUP_SHARE, 0);
  scenario->sweep_line = bn_settings_sweep_line (s);
  if (scenario->profile != NULL)
    g_checksum_update (checksum, (const guchar *) scenario->profile->text, -1);
  scenario->platform = bn_scenario_platform (s, scenario, error);
  bn_scenario_hash_text (scenario->text, checksum);
  return scenario->platform != NULL && bn_scenario_catalogue (s, scenario, checksum, error)
         && bn_scenario_lay_profile (scenario, error)
         && bn_scenario_check_bounds (s, scenario, error)
         && bn_scenario_preloads (s, scenario, error)
         && read_seeds (s, scenario, error) && read_plugins (s, scenario, checksum, error)
         && read_variants (s, scenario, error)
         && bn_scenario_workload (s, scenario, o->strings, &o->weights, error);
}

static OwnedScenario *
new_scenario (void)
{
  OwnedScenario *o = g_new0 (OwnedScenario, 1);

  o->strings = g_string_chunk_new (256);
  o->scenario.backend = &bn_model_backend;
  o->scenario.backend_settings = (BnBackendSettings) BN_BACKEND_SETTINGS_INIT;
  o->scenario.scale_ppm = BN_PPM_ONE;
  return o;
}

BnScenario *
bn_scenario_new (void)
{
  return &new_scenario ()->scenario;
}

BnScenario *
bn_scenario_read (const char *path, const char *const *overrides, GError **error)
{
  return bn_scenario_read_with (path, overrides, NULL, 0, error);
}

BnScenario *
bn_scenario_read_with (const char *path, const char *const *overrides, const BnScenarioSetting *settings, gsize n,
                       GError **error)
{
  BnSettings *s = bn_settings_read (path, overrides, settings, n, error);
  if (s == NULL)
    return NULL;
  OwnedScenario *o = new_scenario ();
  o->scenario.path = g_strdup (path);
  GChecksum *checksum = g_checksum_new (G_CHECKSUM_SHA256);
  gboolean ok = bn_scenario_settle_rivals (s, error) && read_all (s, o, checksum, error);
  g_strlcpy (o->scenario.sha256, g_checksum_get_string (checksum), sizeof o->scenario.sha256);
  g_checksum_free (checksum);
  if (ok)
    o->scenario.remarks = bn_scenario_remarks (&o->scenario, s);
  bn_settings_free (s);
  if (ok)
    return &o->scenario;
  bn_scenario_free (&o->scenario);
  return NULL;
}

void
bn_scenario_free (BnScenario *scenario)
{
  if (scenario == NULL)
    return;
  OwnedScenario *o = (OwnedScenario *) (void *) ((char *) scenario - G_STRUCT_OFFSET (OwnedScenario, scenario));
  for (uint32_t i = 0; i < scenario->n_variants; i++)
    bn_variant_free (scenario->variants[i]);
  g_free (scenario->variants);
  bn_plugins_free (scenario->plugins);
  g_strfreev (scenario->remarks);
  g_free (scenario->preloads);
  g_free (scenario->seeds);
  bn_catalogue_free (scenario->catalogue);
  bn_profile_fit_clear (&scenario->fit);
  bn_profile_free (scenario->profile);
  if (scenario->platform != NULL)
    bn_platform_free (scenario->platform);
  g_free (scenario->path);
  g_free (scenario->name);
  g_free (scenario->text);
  g_free (o->weights);
  g_string_chunk_free (o->strings);
  g_free (o);
}

gboolean
bn_scenario_measures_decisions (const BnScenario *scenario)
{
  for (uint32_t v = 0; v < scenario->n_variants; v++)
    if (scenario->variants[v]->options.decision_measured)
      return TRUE;
  return FALSE;
}
