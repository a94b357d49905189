/* unit.h: a piece of a study that is run as one: all schedulers of a scenario, on one seed.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * A unit is plain data, so that it can go to another process or machine. Each of its runs
 * is known by its run_key (schema.sql), which says what one run is and nothing of what else
 * is asked for: so work that is done is found again, whatever was killed and under whatever
 * number it stands.
 */
#ifndef BN_UNIT_H
#define BN_UNIT_H

#include "results.h"
#include "scenario.h"

typedef struct BnUnit
{
  char *name;                  /* "servers.count=5, seed 3": for messages                    */
  char *path;                  /* of the scenario                                            */
  char **overrides;            /* NULL-terminated, as for bn_scenario_read                   */
  BnScenarioSetting *settings; /* [n_settings], as for bn_scenario_read_with; each with a place */
  guint n_settings;
  guint64 seed;                /* of its runs; takes the place of scenario.seeds             */
  gint64 first_run_id;         /* number of the first variant's run, from 1                  */
  gint64 run_id_step;          /* from one variant to the next, >= 1                         */
} BnUnit;

/* Copies what it is given. Returns: (transfer full). */
BnUnit *bn_unit_new (const char *name, const char *path, const char *const *overrides,
                     const BnScenarioSetting *settings, guint n_settings, guint64 seed, gint64 first_run_id,
                     gint64 run_id_step);
void bn_unit_free (BnUnit *unit);

/* An empty array that frees its units. Returns: (transfer full): of BnUnit. */
GPtrArray *bn_units_new (void);

/* Whether two units differ at most in name, seed and numbers of runs. */
gboolean bn_unit_same_world (const BnUnit *a, const BnUnit *b);

/* Its scenario, with its seed alone. NULL with `error` set. Returns: (transfer full). */
BnScenario *bn_unit_scenario (const BnUnit *unit, GError **error);

/* The number of variant `variant`'s run. */
gint64 bn_unit_run_id (const BnUnit *unit, guint variant);

/* What makes its scenario on a command line: its path and every --set, but for seeds and
 * schedulers, which each run says itself. Returns: (transfer full). */
char *bn_unit_arguments (const BnUnit *unit);

/* Runs those of its variants that have a '1' in `todo` [number of variants], into a new
 * results file `path`, which is of no use to anybody until this has returned TRUE: it is
 * written without care for power that fails. *found: something bad is in it (unfinished
 * jobs, violations); *interrupted: a signal came, and the file is not to be used. Remarks
 * go to standard error. FALSE with `error` set; there is no file then. */
gboolean bn_unit_run (const BnUnit *unit, const char *todo, const char *path, gboolean *found, gboolean *interrupted,
                      GError **error);

/* Its text for another machine, and the way back: NULL where that is not one. Returns:
 * (transfer full). */
GBytes *bn_unit_to_bytes (const BnUnit *unit, const char *todo);
BnUnit *bn_unit_from_bytes (GBytes *bytes, char **todo);

#endif
