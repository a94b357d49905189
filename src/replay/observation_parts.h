/* observation_parts.h: what the files of the observation's reader share.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * For observation*.c only.
 */
#ifndef BN_OBSERVATION_PARTS_H
#define BN_OBSERVATION_PARTS_H

#include "observation.h"

typedef void (*BnObservationRow) (sqlite3_stmt *stmt, void *data);

/* Calls `row` for each row of `sql`, with ?1 = run. */
gboolean bn_observation_each_row (BnReader *reader, const char *sql, gint64 run, BnObservationRow row, void *data,
                                  GError **error);

/* FALSE with `error`: the run `what`. */
gboolean bn_observation_fail (const BnReader *reader, gint64 run, GError **error, const char *what);

/* A column's whole number. One that is none, or out of its limits, clears *sound and is taken for `low`: a
 * damaged file is refused, and must not end in an assertion before. */
gint64 bn_observation_whole (sqlite3_stmt *stmt, int column, gint64 low, gint64 high, gboolean *sound);

/* The value of a scenario's key as text, or NULL. Returns: (transfer full). */
char *bn_observation_parameter (BnReader *reader, gint64 run, const char *name);

/* observation_catalogue.c. Sets scenario->catalogue; needs its platform. */
gboolean bn_observation_catalogue (BnReader *reader, gint64 run, BnScenario *scenario, GError **error);

/* observation_jobs.c. Sets arrivals, noise, preloads and placements; needs catalogue and profile. */
gboolean bn_observation_jobs (BnReader *reader, BnObservation *observation, GError **error);

#endif
