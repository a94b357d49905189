/* results.h: writes the results database (schema.sql); reader.h reads it.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * One file holds the runs of one comparison. While it is open it is in WAL mode;
 * rows are committed in batches that end between two jobs, so a killed program
 * leaves a sound file whose last run says `running` and lacks at most the last
 * batch. Closing leaves one file, nothing beside it.
 *
 * A probe cannot fail, so the first error (a full disk) is kept, everything after
 * it is dropped, and `on_failure` is called, which should interrupt the run. It
 * is reported by the next end_run, and by close.
 */
#ifndef BN_RESULTS_H
#define BN_RESULTS_H

#include <glib.h>
#include <sqlite3.h>

#include "bound.h"
#include "metrics.h"
#include "probe.h"
#include "scenario.h"

#define BN_RESULTS_ERROR (bn_results_error_quark ())
GQuark bn_results_error_quark (void);

typedef enum
{
  BN_RESULTS_ERROR_EXISTS,  /* and is not to be replaced              */
  BN_RESULTS_ERROR_FOREIGN, /* is to be replaced, and is no results file */
  BN_RESULTS_ERROR_WRITE,   /* cannot be created or written           */
  BN_RESULTS_ERROR_OTHER_RUNS /* holds runs that it should not          */
} BnResultsError;

typedef struct BnResults BnResults;

/* What a run's row says before it starts. Strings are copied. */
typedef struct BnRunInfo
{
  int64_t run_id;             /* position in (variant, seed) order, from 1  */
  const char *scenario, *scenario_text, *scenario_sha256;
  const char *trace_sha256;   /* "" without a trace                         */
  const char *variant, *scheduler, *settings;
  uint64_t seed;
  const char *version, *backend;
  gboolean real;              /* the backend really executes                */
  gboolean has_digests;       /* of every task done                         */
  const char *profile;        /* text in effect, or NULL                    */
  BnRecord record;
  BnDuration warmup_ns;
  const char *arrivals;       /* kind                                       */
  double rate_per_s;          /* 0: not a rate                              */
  double offered_load;        /* 0: unknown                                 */
  double trace_block;         /* 0: no trace that was resampled             */
  int64_t replay_of;          /* run of this file; 0: it is no replay       */
} BnRunInfo;

/* What it says when it has ended. */
typedef struct BnRunEnd
{
  const BnRunTotals *totals;
  const BnMetrics *metrics;
  int64_t violations;         /* of the invariants checked in memory        */
  const char *message;        /* why, unless complete; or NULL              */
  int64_t wall_ns;
  const BnBound *bound;       /* of its jobs; NULL: not known                */
  int64_t n_verified;         /* tasks compared with the reference, where the run has digests */
} BnRunEnd;

/* Fills a run's information, run_id excepted, from a scenario and from this program;
 * strings stay the scenario's and the caller's. `settings` is bn_variant_settings of the
 * variant, `text` bn_scenario_run_text. */
void bn_run_info_from_scenario (BnRunInfo *info, const BnScenario *scenario, const BnVariant *variant,
                                const char *text, const char *settings, uint64_t seed);

/* What a run is known by, SHA-256 of everything that its numbers depend on and of its
 * variant's name: the column run_key. Returns: (transfer full). */
char *bn_run_info_key (const BnRunInfo *info);

/* Whether a results file may be created there: there is none, or it is one and to be replaced. FALSE
 * with `error` set. */
gboolean bn_results_may_create (const char *path, gboolean replace, GError **error);

/* Creates a file with the schema. ":memory:" keeps it in memory. An existing file
 * is an error unless `replace`, and even then unless it is a results file. After
 * an error everything is as it was before. Returns: (transfer full). */
BnResults *bn_results_create (const char *path, gboolean replace, GError **error);

/* The same, but what there is before the file has its name is in `folder`, on the same disk, so
 * that whoever is killed meanwhile leaves nothing elsewhere. */
BnResults *bn_results_create_by_way_of (const char *path, const char *folder, gboolean replace, GError **error);

/* The same for a file that is of no use to anybody until it is closed: nothing is done for
 * power that fails, or for a writer that is killed. */
BnResults *bn_results_create_scratch (const char *path, GError **error);

/* Opens one that is there, to write more runs; what a writer that was killed has left is put in
 * order. NULL with `error` set: not a results file, of another form, cannot be written. */
BnResults *bn_results_extend (const char *path, GError **error);

/* Gives a results file that is closed another name on the same disk, in the place of any file of
 * that name. FALSE with `error` set. */
gboolean bn_results_rename (const char *path, const char *name, GError **error);

/* Whether no run is in it. */
gboolean bn_results_is_empty (BnResults *results);

/* The connection, to query what has been written between runs. */
sqlite3 *bn_results_database (BnResults *results);

/* Enters the run as `running`, on disk before this returns. One run at a time.
 * Returns: (transfer none): copy the table into the run's array of probes. */
const BnProbe *bn_results_begin_run (BnResults *results, const BnRunInfo *info, GError **error);

/* Completes the run's row, its workers, metrics, backlog and histograms. FALSE with
 * `error` set for a failure now or since begin_run. */
gboolean bn_results_end_run (BnResults *results, const BnRunEnd *end, GError **error);

/* A run that a study consists of, done or not. */
typedef struct BnAskedRun
{
  char *run_key;              /* bn_run_info_key                                       */
  gint64 run_id;              /* that it should have                                   */
  BnRecord record;            /* the least that should be recorded                     */
  gint64 unit;                /* number of the unit that it is part of, from 0         */
  char *name;                 /* the unit's; the same pointer for all its runs will do */
  guint shard;                /* the unit's, from 1; 0: the study is not divided       */
  gboolean there;             /* set by bn_results_keep                                */
} BnAskedRun;

/* Keeps what is there of these runs, keys and numbers of which differ: gives each its
 * number, and sets `there` where it is complete or stuck and recorded at least so. Of runs
 * with one key only the best stays; a run not asked for that has a number of theirs gets one
 * beyond all others. All or nothing; FALSE with `error` set. O(n + runs of the file), and
 * rewrites all rows of a run whose number changes. */
gboolean bn_results_keep (BnResults *results, BnAskedRun *runs, guint n, GError **error);

/* Takes over every row of another results file, which holds runs that bn_results_keep has
 * last been told of; they take the place of what has their numbers. All or nothing; FALSE
 * with `error` set, BN_RESULTS_ERROR_OTHER_RUNS where it holds any other. */
gboolean bn_results_absorb (BnResults *results, const char *path, GError **error);

/* Writes the table `planned`: these are all runs of the study. FALSE with `error` set,
 * BN_RESULTS_ERROR_OTHER_RUNS where the file holds any other; nothing has changed then. */
gboolean bn_results_plan (BnResults *results, const BnAskedRun *runs, guint n, GError **error);

/* Takes over one run of another results file, as number `run_id`. All or nothing; FALSE with
 * `error` set. */
gboolean bn_results_absorb_run (BnResults *results, const char *path, gint64 run, gint64 run_id, GError **error);

/* Whether an error is being kept, and who is told when it comes. */
gboolean bn_results_failed (const BnResults *results);
void bn_results_on_failure (BnResults *results, void (*func) (void *data), void *data);

/* Leaves a single file and frees `results`, in any case. After a failure before
 * the first run was complete, the file is removed. FALSE with `error` set for the
 * error kept or a new one. */
gboolean bn_results_close (BnResults *results, GError **error);

/* The same for a caller that has failed itself: the file is removed unless a run
 * in it is complete. */
void bn_results_abandon (BnResults *results);

#endif
