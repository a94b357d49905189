/* platform.c: builds the cluster from its server groups.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <glib.h>

#include "panic.h"
#include "platform_build.h"

BnNetwork
bn_network_default (void)
{
  return (BnNetwork){
    .latency_ns = 2 * BN_NS_PER_US,
    .bytes_per_s = INT64_C (12582960000),            /* 12 x 1048.58 kB/ms         */
    .small_limit_bytes = 1000,
    .ramp_limit_bytes = 4000,
    .ramp_base_bytes_per_s = INT64_C (3145728000),   /* 3 x 1048.576 kB/ms         */
    .ramp_per_kb_bytes_per_s = INT64_C (2097152000), /* 2 x 1048.576 kB/ms per kB  */
  };
}

BnPlatform *
bn_platform_new (const BnServerGroup *groups, uint32_t n_groups, const BnNetwork *network)
{
  BnPlatform *p = g_new0 (BnPlatform, 1);
  uint32_t w = 0, s = 0;

  BN_ASSERT (n_groups > 0);
  p->network = *network;
  p->n_types = n_groups;
  p->types = g_new0 (BnGpuType, n_groups);
  for (uint32_t g = 0; g < n_groups; g++)
    {
      BN_ASSERT (groups[g].count > 0 && groups[g].devices > 0 && groups[g].gpu.slots > 0);
      BN_ASSERT ((uint64_t) groups[g].count * groups[g].devices <= BN_PLATFORM_MAX_WORKERS - p->n_workers);
      p->types[g] = groups[g].gpu;
      p->types[g].name = g_strdup (groups[g].gpu.name);
      p->types[g].group = g_strdup (groups[g].gpu.group);
      p->types[g].n_workers = groups[g].count * groups[g].devices;
      p->n_workers += p->types[g].n_workers;
      p->n_servers += groups[g].count;
    }
  p->workers = g_new (BnWorkerInfo, p->n_workers);
  for (uint32_t g = 0; g < n_groups; g++)
    for (uint32_t i = 0; i < groups[g].count; i++, s++)
      for (uint32_t d = 0; d < groups[g].devices; d++)
        p->workers[w++] = (BnWorkerInfo){ g, s, d };
  return p;
}

void
bn_platform_free (BnPlatform *platform)
{
  if (!platform)
    return;
  for (uint32_t g = 0; g < platform->n_types; g++)
    {
      g_free ((char *) platform->types[g].name);
      g_free ((char *) platform->types[g].group);
    }
  g_free (platform->types);
  g_free (platform->workers);
  g_free (platform);
}
