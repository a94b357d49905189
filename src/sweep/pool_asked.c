/* pool_asked.c: what the runs of units are known by.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "pool_asked.h"

/* Of one unit. */
typedef struct Keys
{
  char **keys;       /* NULL-terminated: of its variants */
  BnRecord record;
} Keys;

struct BnPoolAsked
{
  GHashTable *known;   /* GBytes: unit as bytes, to Keys */
};

static void
free_keys (void *data)
{
  Keys *keys = data;

  g_strfreev (keys->keys);
  g_free (keys);
}

BnPoolAsked *
bn_pool_asked_new (void)
{
  BnPoolAsked *asked = g_new0 (BnPoolAsked, 1);

  asked->known = g_hash_table_new_full (g_bytes_hash, g_bytes_equal, (GDestroyNotify) g_bytes_unref, free_keys);
  return asked;
}

void
bn_pool_asked_free (BnPoolAsked *asked)
{
  g_hash_table_unref (asked->known);
  g_free (asked);
}

/* Of the runs of `scenario` on the seed `seed`. */
static Keys *
read_keys (const BnScenario *scenario, guint64 seed)
{
  Keys *keys = g_new0 (Keys, 1);

  keys->record = scenario->record;
  keys->keys = g_new0 (char *, scenario->n_variants + 1);
  for (guint v = 0; v < scenario->n_variants; v++)
    {
      g_autofree char *settings = bn_variant_settings (scenario->variants[v]);
      BnRunInfo info = { 0 };
      bn_run_info_from_scenario (&info, scenario, scenario->variants[v], scenario->text, settings, seed);
      keys->keys[v] = bn_run_info_key (&info);
    }
  return keys;
}

static void
add_runs (GArray *runs, const Keys *keys, const BnUnit *unit, guint number, guint shard)
{
  for (guint v = 0; keys->keys[v] != NULL; v++)
    {
      BnAskedRun run = { .run_key = keys->keys[v], .run_id = bn_unit_run_id (unit, v), .record = keys->record,
                         .unit = number, .name = unit->name, .shard = shard };
      g_array_append_val (runs, run);
    }
}

GArray *
bn_pool_asked_runs (BnPoolAsked *asked, BnUnit *const *units, guint n_units, guint n_shards, GError **error)
{
  GArray *runs = g_array_new (FALSE, FALSE, sizeof (BnAskedRun));
  BnScenario *scenario = NULL;
  const BnUnit *read = NULL;   /* that the scenario is of */
  gboolean ok = TRUE;

  for (guint u = 0; u < n_units && ok; u++)
    {
      g_autoptr (GBytes) text = bn_unit_to_bytes (units[u], "");
      const Keys *keys = g_hash_table_lookup (asked->known, text);

      if (keys == NULL && (read == NULL || !bn_unit_same_world (read, units[u])))
        {
          bn_scenario_free (scenario);
          scenario = bn_unit_scenario (units[u], error);
          read = units[u];
          ok = scenario != NULL;
          if (!ok)
            g_prefix_error (error, "%s: ", units[u]->name);
        }
      if (keys == NULL && ok)
        {
          Keys *new_keys = read_keys (scenario, units[u]->seed);
          g_hash_table_insert (asked->known, g_bytes_ref (text), new_keys);
          keys = new_keys;
        }
      if (ok)
        add_runs (runs, keys, units[u], u, n_shards > 1 ? u % n_shards + 1 : 0);
    }
  bn_scenario_free (scenario);
  if (ok)
    return runs;
  g_array_unref (runs);
  return NULL;
}
