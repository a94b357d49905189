/* scenario_parts.h: how a scenario is put together from its settings.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * For scenario*.c only. Each part sets `error` and returns FALSE (or NULL) where
 * several keys together make no sense.
 */
#ifndef BN_SCENARIO_PARTS_H
#define BN_SCENARIO_PARTS_H

#include "scenario.h"
#include "scenario_settings.h"

/* scenario_rivals.c. Of keys that say the same in two ways the one given on the
 * command line counts, and the other one leaves the canonical text. FALSE with
 * `error` set where both stand in the file, or both on the command line. */
gboolean bn_scenario_settle_rivals (BnSettings *s, GError **error);

/* scenario_backend.c. Sets backend, settings, watchdog, scale and profile, and the
 * defaults that follow from a real backend. */
gboolean bn_scenario_backend (BnSettings *s, BnScenario *scenario, GError **error);
/* Lays the profile over the catalogue and prepares the model's settings. Needs the catalogue. */
gboolean bn_scenario_lay_profile (BnScenario *scenario, GError **error);

/* scenario_cluster.c. Needs scale and profile. Returns: (transfer full). */
BnPlatform *bn_scenario_platform (const BnSettings *s, const BnScenario *scenario, GError **error);
/* The server group that a type of the platform comes from: those without servers have none. */
uint32_t bn_scenario_group_of_type (const BnSettings *s, uint32_t type);
/* Needs the platform and the catalogue. */
gboolean bn_scenario_preloads (const BnSettings *s, BnScenario *scenario, GError **error);

/* scenario_bounds.c. Refuses a runtime over 10 days, and a load or transfer over one
 * day, on any GPU type or over the network: whoever adds a few of them need not
 * think of the end of the clock. Needs the platform and the catalogue. */
gboolean bn_scenario_check_bounds (const BnSettings *s, const BnScenario *scenario, GError **error);

/* scenario_workload.c. A time of the arrivals, divided by their speed; BN_TIME_NEVER stays. */
BnTime bn_scenario_slowed (const BnSettings *s, BnTime time_ns);
/* Sets the catalogue and adds its bytes to `checksum`. */
gboolean bn_scenario_catalogue (const BnSettings *s, BnScenario *scenario, GChecksum *checksum, GError **error);
/* Needs platform and catalogue. Sets arrivals, trace, noise and offered_load; what
 * arrivals points to is kept in `strings` and *weights (transfer full). */
gboolean bn_scenario_workload (const BnSettings *s, BnScenario *scenario, GStringChunk *strings, double **weights,
                               GError **error);

/* scenario_shape.c. Sets of the arrivals how their gaps hang together and how their rate changes, of which kind is
 * set, and cv. */
gboolean bn_scenario_shape (const BnSettings *s, BnScenario *scenario, GError **error);

/* scenario_trace.c. Sets of the arrivals which file `trace` (FILE or FORMAT:FILE) means and how it is read,
 * and refuses keys that go with another way of reading. Needs the catalogue, and of the arrivals what keys
 * say of a trace. */
gboolean bn_scenario_trace_file (const BnSettings *s, const char *trace, BnScenario *scenario, GStringChunk *strings,
                                 GError **error);

/* scenario_text.c. Adds what of `text` says what a run is: not which seeds and schedulers
 * there are, the scenario's name and how much is recorded. */
void bn_scenario_hash_text (const char *text, GChecksum *checksum);

/* scenario_remarks.c. Needs platform, catalogue and variants. Returns: (transfer
 * full): NULL-terminated. */
char **bn_scenario_remarks (const BnScenario *scenario, const BnSettings *s);

/* scenario_idle.c. Adds a text (transfer full) for each key of [workload] that is given and stands for nothing
 * beside another one: a trace without arrivals = trace, a cv of Poisson arrivals. */
void bn_scenario_remark_on_idle (const BnSettings *s, GPtrArray *remarks);

#endif
