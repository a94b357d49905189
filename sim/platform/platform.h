/* platform.h: what there is: GPU types, servers, devices, the network.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Immutable once built. A *server* has a network card and one or more devices;
 * each device is a *worker* with a queue, a model cache and a row in the
 * published table. Workers are numbered from 0, servers in group order and
 * devices within a server: this number breaks every tie.
 *
 * This room knows nothing of jobs, time or policies. The structs below need
 * <stdint.h> only; building one is in platform_build.h.
 */
#ifndef BN_PLATFORM_H
#define BN_PLATFORM_H

#include "bn.h"

/* One kind of GPU as one server group uses it. Two groups with the same card
 * but other prices are two types. */
typedef struct BnGpuType
{
  const char *name;            /* the group's `gpu =`, else the group's name    */
  const char *group;           /* the server group that it comes from           */
  int64_t memory_bytes;        /* usable for models                             */
  int64_t speed_ppm;           /* relative to the profile; 1000000 = as profiled */
  int64_t pcie_bytes_per_s;    /* host to device, and device to host            */
  BnDuration pcie_latency_ns;  /* added to each copy of at least one byte       */
  uint32_t slots;              /* tasks that run at once, >= 1                  */
  uint32_t n_workers;          /* workers of this type in the cluster           */
  double idle_watts;           /* drawn whenever the device is up               */
  double active_watts;         /* drawn instead while >= 1 slot executes        */
  double price_per_hour;       /* of one device; no currency is assumed         */
} BnGpuType;

typedef struct BnWorkerInfo
{
  uint32_t type;    /* index into BnPlatform.types */
  uint32_t server;  /* index of its server         */
  uint32_t device;  /* index within its server     */
} BnWorkerInfo;

/* Worker to worker: c2c(s) = latency + s / rate(s), where s below
 * small_limit_bytes costs the latency alone, s below ramp_limit_bytes runs at
 * ramp_base + ramp_per_kb * (s in kB), and larger s at bytes_per_s.
 * (facts: section 2 of the cost model; see doc/cost-model.md) */
typedef struct BnNetwork
{
  BnDuration latency_ns;
  int64_t bytes_per_s;
  int64_t small_limit_bytes;
  int64_t ramp_limit_bytes;
  int64_t ramp_base_bytes_per_s;
  int64_t ramp_per_kb_bytes_per_s;
} BnNetwork;

typedef struct BnPlatform
{
  uint32_t n_types;
  uint32_t n_servers;
  uint32_t n_workers;
  BnGpuType *types;       /* [n_types]   */
  BnWorkerInfo *workers;  /* [n_workers] */
  BnNetwork network;
} BnPlatform;

static inline const BnGpuType *
bn_platform_gpu (const BnPlatform *p, uint32_t worker)
{
  return &p->types[p->workers[worker].type];
}

#endif
