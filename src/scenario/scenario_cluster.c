/* scenario_cluster.c: from settings to servers, network and warm caches.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "catalogue.h"
#include "platform_build.h"
#include "scenario_parts.h"
#include "units.h"

/* At the scenario's scale, and with a profile's loads. */
static void
adapt (BnGpuType *gpu, const BnScenario *scenario)
{
  gpu->memory_bytes = bn_catalogue_scaled (gpu->memory_bytes, scenario->scale_ppm);
  if (scenario->profile == NULL)
    return;
  const BnMeasuredCopy *load = &scenario->profile->machine.load;
  /* where none was found, loads of all sizes take the latency: as good as the highest */
  int64_t bytes_per_s = load->bytes_per_s > 0 ? load->bytes_per_s : (int64_t) bn_scenario_key (BN_KEY_SERVERS_PCIE).max;

  gpu->speed_ppm = BN_PPM_ONE;
  /* where copies are paced, a link that is slower than what was measured stays what it is */
  if (scenario->backend_settings.paced && gpu->pcie_bytes_per_s <= bytes_per_s)
    return;
  gpu->pcie_latency_ns = load->latency_ns;
  gpu->pcie_bytes_per_s = bytes_per_s;
}

static BnServerGroup
server_group (const BnSettings *s, const BnScenario *scenario, uint32_t g)
{
  const char *name = bn_settings_group_name (s, g), *gpu = bn_settings_text (s, BN_KEY_SERVERS_GPU, g);
  const char *group = *name == '\0' ? "servers" : name;
  BnServerGroup result = {
    .count = (uint32_t) bn_settings_integer (s, BN_KEY_SERVERS_COUNT, g),
    .devices = (uint32_t) bn_settings_integer (s, BN_KEY_SERVERS_DEVICES, g),
    .gpu = {
      .name = *gpu == '\0' ? group : gpu,
      .group = group,
      .memory_bytes = bn_settings_integer (s, BN_KEY_SERVERS_MEMORY, g),
      .speed_ppm = bn_settings_integer (s, BN_KEY_SERVERS_SPEED, g),
      .pcie_bytes_per_s = bn_settings_integer (s, BN_KEY_SERVERS_PCIE, g),
      .pcie_latency_ns = bn_settings_integer (s, BN_KEY_SERVERS_PCIE_LATENCY, g),
      .slots = (uint32_t) bn_settings_integer (s, BN_KEY_SERVERS_SLOTS, g),
      .idle_watts = bn_settings_real (s, BN_KEY_SERVERS_IDLE_WATTS, g),
      .active_watts = bn_settings_real (s, BN_KEY_SERVERS_ACTIVE_WATTS, g),
      .price_per_hour = bn_settings_real (s, BN_KEY_SERVERS_PRICE, g),
    },
  };
  adapt (&result.gpu, scenario);
  return result;
}

static bool
is_there (const BnSettings *s, uint32_t group)
{
  return bn_settings_integer (s, BN_KEY_SERVERS_COUNT, group) > 0;
}

uint32_t
bn_scenario_group_of_type (const BnSettings *s, uint32_t type)
{
  uint32_t g = 0;

  for (uint32_t n = 0; n < type || !is_there (s, g); g++)
    n += is_there (s, g);
  return g;
}

BnPlatform *
bn_scenario_platform (const BnSettings *s, const BnScenario *scenario, GError **error)
{
  uint32_t n_groups = bn_settings_n_groups (s), n_types = 0;
  int64_t n_workers = 0;
  BnServerGroup *groups = g_new0 (BnServerGroup, n_groups);
  for (uint32_t g = 0; g < n_groups; g++)
    {
      if (!is_there (s, g))
        continue;
      groups[n_types] = server_group (s, scenario, g);
      n_workers += (int64_t) groups[n_types].count * groups[n_types].devices;
      n_types++;
      if (n_workers <= BN_PLATFORM_MAX_WORKERS)
        continue;
      bn_settings_fail (s, BN_KEY_SERVERS_COUNT, g, error,
                        "the cluster has more than %d GPUs; take fewer servers or devices",
                        BN_PLATFORM_MAX_WORKERS);
      g_free (groups);
      return NULL;
    }
  if (n_types == 0)
    {
      bn_settings_fail (s, BN_KEY_SERVERS_COUNT, n_groups - 1, error,
                        "there is no server; give 1 or more, of one group at least");
      g_free (groups);
      return NULL;
    }
  BnNetwork network = {
    .latency_ns = bn_settings_integer (s, BN_KEY_NETWORK_LATENCY, 0),
    .bytes_per_s = bn_settings_integer (s, BN_KEY_NETWORK_RATE, 0),
    .small_limit_bytes = bn_settings_integer (s, BN_KEY_NETWORK_SMALL_LIMIT, 0),
    .ramp_limit_bytes = bn_settings_integer (s, BN_KEY_NETWORK_RAMP_LIMIT, 0),
    .ramp_base_bytes_per_s = bn_settings_integer (s, BN_KEY_NETWORK_RAMP_BASE, 0),
    .ramp_per_kb_bytes_per_s = bn_settings_integer (s, BN_KEY_NETWORK_RAMP_PER_KB, 0),
  };
  BnPlatform *platform = bn_platform_new (groups, n_types, &network);
  g_free (groups);
  return platform;
}

/* Bytes that are preloaded on each worker, and a set of what is. */
typedef struct Preloading
{
  const BnSettings *s;
  BnScenario *scenario;
  GArray *preloads;      /* BnPreload */
  int64_t *bytes;        /* [n_workers] */
  GHashTable *seen;      /* int64: model * n_workers + worker */
} Preloading;

static gboolean
preload_one (Preloading *p, uint32_t model, uint32_t worker, GError **error)
{
  const BnPlatform *platform = p->scenario->platform;
  const BnModel *m = &p->scenario->catalogue->models[model];
  int64_t *key = g_new (int64_t, 1);
  *key = (int64_t) model * platform->n_workers + worker;
  if (!g_hash_table_add (p->seen, key))
    return TRUE;
  p->bytes[worker] += m->size_bytes;
  int64_t memory = bn_platform_gpu (platform, worker)->memory_bytes;
  if (p->bytes[worker] > memory)
    {
      char *memory_text = bn_format_size (memory);
      bn_settings_fail (p->s, BN_KEY_SCENARIO_PRELOAD, 0, error,
                        "%s does not fit worker %u, whose GPU holds %s; preload fewer models there", m->name, worker,
                        memory_text);
      g_free (memory_text);
      return FALSE;
    }
  g_array_append_val (p->preloads, ((BnPreload) { model, worker }));
  return TRUE;
}

/* "OPT@3" or "OPT@*". */
static gboolean
preload_item (Preloading *p, char *item, GError **error)
{
  const BnCatalogue *catalogue = p->scenario->catalogue;
  uint32_t n_workers = p->scenario->platform->n_workers;
  char *at = strrchr (item, '@');
  if (at == NULL)
    return bn_settings_fail (p->s, BN_KEY_SCENARIO_PRELOAD, 0, error, "'%s' is not MODEL@WORKER or MODEL@*", item);
  *at++ = '\0';
  int32_t model = bn_catalogue_find_model (catalogue, item);
  if (model == BN_NONE)
    {
      const char **known = g_new0 (const char *, catalogue->n_models + 1);
      for (uint32_t i = 0; i < catalogue->n_models; i++)
        known[i] = catalogue->models[i].name;
      char *hint = bn_input_hint (item, known);
      bn_settings_fail (p->s, BN_KEY_SCENARIO_PRELOAD, 0, error, "'%s' is not a model of the catalogue%s", item,
                        hint);
      g_free (hint);
      g_free (known);
      return FALSE;
    }
  if (strcmp (at, "*") == 0)
    {
      for (uint32_t worker = 0; worker < n_workers; worker++)
        if (!preload_one (p, (uint32_t) model, worker, error))
          return FALSE;
      return TRUE;
    }
  int64_t worker = -1;
  if (!bn_parse_integer (at, &worker, NULL) || worker < 0 || worker >= (int64_t) n_workers)
    return bn_settings_fail (p->s, BN_KEY_SCENARIO_PRELOAD, 0, error, "there is no worker '%s'; write 0 to %u or *",
                             at, n_workers - 1);
  return preload_one (p, (uint32_t) model, (uint32_t) worker, error);
}

gboolean
bn_scenario_preloads (const BnSettings *s, BnScenario *scenario, GError **error)
{
  Preloading p = { .s = s, .scenario = scenario };
  p.preloads = g_array_new (FALSE, FALSE, sizeof (BnPreload));
  p.bytes = g_new0 (int64_t, scenario->platform->n_workers);
  p.seen = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  char **items = g_strsplit_set (bn_settings_text (s, BN_KEY_SCENARIO_PRELOAD, 0), " \t,", -1);
  gboolean ok = TRUE;
  for (guint i = 0; items[i] != NULL && ok; i++)
    ok = *items[i] == '\0' || preload_item (&p, items[i], error);
  g_strfreev (items);
  g_hash_table_unref (p.seen);
  g_free (p.bytes);
  scenario->n_preloads = p.preloads->len;
  scenario->preloads = (BnPreload *) (void *) g_array_free (p.preloads, FALSE);
  return ok;
}
