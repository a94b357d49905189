/* world.h: a small cluster and its jobs, for tests of the run.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef BN_TEST_WORLD_H
#define BN_TEST_WORLD_H

#include <glib.h>

#include "catalogue.h"
#include "platform_build.h"
#include "run.h"
#include "variant.h"

typedef struct World
{
  BnCatalogue *catalogue;
  BnPlatform *platform;
  BnVariant *variant;
  BnArrivalsConfig arrivals;
  BnRunConfig config;      /* of the next run; its probes are world's own */
  const BnProbe *listener; /* one more, or NULL                                        */
  char *jobs_path;         /* a trace file, or NULL                                    */
  double *weights;
  /* what came of it */
  BnRunTotals totals;
  GString *rows;           /* the columns of the reference logs, by job and task       */
  GString *log;            /* one line an event that a probe was told                  */
  GPtrArray *job_rows;
  int64_t violations;
} World;

/* Takes the catalogue. `groups` as for bn_platform_new. */
World *world_new (BnCatalogue *catalogue, const BnServerGroup *groups, uint32_t n_groups);
void world_free (World *world);

/* A group of `count` one-device servers with round costs: a load takes 1 ms a MB
 * and there is no latency. */
BnServerGroup world_group (uint32_t count, int64_t memory_bytes);

/* A network of 1 us latency and 1 GB/s at every size. */
BnNetwork world_network (void);

/* `name[key=value]` on top of the options in world->config. */
void world_schedule (World *world, const char *variant);

/* "create_ns,workflow,ingress" lines without a header. */
void world_jobs (World *world, const char *lines);

/* The queue of textbooks: one-task workflows without a model come at random to one worker
 * with `servers` slots that are busy for `load` of the time; no transfers. */
World *world_queue (BnDuration service_ns, uint32_t servers, double load, BnNoise noise);

/* Serves `n` customers, all of whom leave; nothing is checked meanwhile. */
void world_serve (World *world, int64_t n, uint64_t seed, const BnProbe *probe);

/* Runs with the invariants checked in memory and BN_DEBUG-like checks on. */
BnRunStatus world_run (World *world);

/* One job's row: "task worker planned enqueue start evict fetch exec end access"
 * of each task, blanks between, `;` after each. Transfer none. */
const char *world_job (const World *world, int64_t job);

#endif
