/* platform_build.h: builds a BnPlatform from server groups.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef BN_PLATFORM_BUILD_H
#define BN_PLATFORM_BUILD_H

#include <glib.h>

#include "platform.h"

/* `count` servers of `devices` devices each, all of type `gpu`. The strings of
 * `gpu` are copied; its n_workers is ignored. */
typedef struct BnServerGroup
{
  uint32_t count;
  uint32_t devices;
  BnGpuType gpu;
} BnServerGroup;

/* The largest cluster this program accepts. The published table holds
 * models x workers bits, so that the bound is about memory, not about width. */
#define BN_PLATFORM_MAX_WORKERS 1000000

/* Returns: (transfer full). The caller has checked that there is at least one
 * group, that every number is in range and that the total is at most
 * BN_PLATFORM_MAX_WORKERS (these are assertions here: a scenario reports them
 * with file and line first). */
BnPlatform *bn_platform_new (const BnServerGroup *groups, uint32_t n_groups, const BnNetwork *network);
void bn_platform_free (BnPlatform *platform);

/* The constants of the published system: 3+2s ramp below 4 kB, 12.58296 GB/s
 * above, 2 us latency. */
BnNetwork bn_network_default (void);

#endif
