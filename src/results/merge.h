/* merge.h: the shards of a sweep become one results file.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Each shard's file says in its table `planned` what the whole sweep is, so that shards of
 * different sweeps are told apart, and what none of them has done is known by name.
 */
#ifndef BN_MERGE_H
#define BN_MERGE_H

#include "results.h"

/* Units that no part has done, of one shard. */
typedef struct BnMergeGap
{
  guint shard, n_shards;     /* 1 of 1: the sweep was not divided               */
  char *path;                /* the part that has others of it; NULL: none has  */
  guint n_missing, n_units;  /* of the shard                                    */
  char *first;               /* name of the first one missing                   */
} BnMergeGap;

/* Takes over into `results`, which is new, all runs that are done of the sweep that `paths`
 * (NULL-terminated, at least one) are parts of; a run that several have is taken once. The
 * result is what the sweep makes in one file, but for columns marked volatile. *gaps
 * (transfer full): of BnMergeGap, by shard. FALSE with `error` set where a part is no results
 * file, of another form, not of a sweep, or of another one; *gaps is NULL then. */
gboolean bn_merge (BnResults *results, const char *const *paths, GPtrArray **gaps, GError **error);

#endif
