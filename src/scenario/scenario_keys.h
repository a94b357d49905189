/* scenario_keys.h: every key a scenario may have, in one table.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Parsing, range checks, messages, `binnacle list keys`, doc/scenario.md and the
 * canonical text all come from this table. A key is named by its number. After
 * the keys below come those of [options], which are bn_variant_options.
 */
#ifndef BN_SCENARIO_KEYS_H
#define BN_SCENARIO_KEYS_H

#include <glib.h>

#include "bn.h"

typedef enum
{
  BN_KEY_SCENARIO_NAME,
  BN_KEY_SCENARIO_SEEDS,
  BN_KEY_SCENARIO_RECORD,
  BN_KEY_SCENARIO_WARMUP,
  BN_KEY_SCENARIO_WARMUP_SHARE,
  BN_KEY_SCENARIO_PRELOAD,
  BN_KEY_SCHEDULERS_COMPARE,
  BN_KEY_SCHEDULERS_PLUGINS,
  BN_KEY_SERVERS_COUNT,
  BN_KEY_SERVERS_DEVICES,
  BN_KEY_SERVERS_GPU,
  BN_KEY_SERVERS_MEMORY,
  BN_KEY_SERVERS_SPEED,
  BN_KEY_SERVERS_SLOTS,
  BN_KEY_SERVERS_PCIE,
  BN_KEY_SERVERS_PCIE_LATENCY,
  BN_KEY_SERVERS_IDLE_WATTS,
  BN_KEY_SERVERS_ACTIVE_WATTS,
  BN_KEY_SERVERS_PRICE,
  BN_KEY_NETWORK_LATENCY,
  BN_KEY_NETWORK_RATE,
  BN_KEY_NETWORK_SMALL_LIMIT,
  BN_KEY_NETWORK_RAMP_LIMIT,
  BN_KEY_NETWORK_RAMP_BASE,
  BN_KEY_NETWORK_RAMP_PER_KB,
  BN_KEY_WORKLOAD_CATALOGUE,
  BN_KEY_WORKLOAD_MIX,
  BN_KEY_WORKLOAD_ARRIVALS,
  BN_KEY_WORKLOAD_RATE,
  BN_KEY_WORKLOAD_LOAD,
  BN_KEY_WORKLOAD_CV,
  BN_KEY_WORKLOAD_AUTOCORRELATION,
  BN_KEY_WORKLOAD_AUTOCORR_DECAY,
  BN_KEY_WORKLOAD_ON,
  BN_KEY_WORKLOAD_OFF,
  BN_KEY_WORKLOAD_RATE_SHAPE,
  BN_KEY_WORKLOAD_SHAPE_AMPLITUDE,
  BN_KEY_WORKLOAD_SHAPE_PERIOD,
  BN_KEY_WORKLOAD_SHAPE_PHASE,
  BN_KEY_WORKLOAD_SPIKE_AT,
  BN_KEY_WORKLOAD_SPIKE_LENGTH,
  BN_KEY_WORKLOAD_SPIKE_EVERY,
  BN_KEY_WORKLOAD_SPIKE_FACTOR,
  BN_KEY_WORKLOAD_TRACE,
  BN_KEY_WORKLOAD_TRACE_MAP,
  BN_KEY_WORKLOAD_TRACE_SORT,
  BN_KEY_WORKLOAD_TIME_COLUMN,
  BN_KEY_WORKLOAD_TIME_UNIT,
  BN_KEY_WORKLOAD_TIME_SCALE,
  BN_KEY_WORKLOAD_WORKFLOW_COLUMN,
  BN_KEY_WORKLOAD_WORKFLOW_MAP,
  BN_KEY_WORKLOAD_RUNTIME_FACTOR,
  BN_KEY_WORKLOAD_INGRESS_COLUMN,
  BN_KEY_WORKLOAD_TRACE_RESAMPLE,
  BN_KEY_WORKLOAD_TRACE_BLOCK,
  BN_KEY_WORKLOAD_JOBS,
  BN_KEY_WORKLOAD_UNTIL,
  BN_KEY_WORKLOAD_NOISE,
  BN_KEY_WORKLOAD_NOISE_CV,
  BN_KEY_WORKLOAD_PROFILE_ERROR,
  BN_KEY_WORKLOAD_NOISE_VISIBLE,
  BN_KEY_WORKLOAD_SPEED,
  BN_KEY_WORKLOAD_SCALE,
  BN_KEY_WORKLOAD_PROFILE,
  BN_KEY_BACKEND_NAME,
  BN_KEY_BACKEND_THREADS,
  BN_KEY_BACKEND_PACE,
  BN_KEY_BACKEND_VERIFY,
  BN_KEY_BACKEND_WATCHDOG,
  BN_KEY_FIRST_OPTION
} BnScenarioKeyNumber;

typedef enum
{
  BN_KEY_TEXT,
  BN_KEY_BOOL,       /* integer 0 or 1                  */
  BN_KEY_INTEGER,
  BN_KEY_REAL,
  BN_KEY_DURATION,   /* integer, ns                     */
  BN_KEY_SIZE,       /* integer, bytes                  */
  BN_KEY_RATE,       /* integer, bytes per second       */
  BN_KEY_FREQUENCY,  /* real, per second                */
  BN_KEY_MULTIPLE,   /* integer, ppm                    */
  BN_KEY_CHOICE,     /* integer, index into choices     */
  BN_KEY_BACKEND,    /* integer, index into bn_backends */
  BN_KEY_OPTION      /* one of bn_variant_options       */
} BnScenarioKeyKind;

typedef struct BnScenarioKey
{
  const char *section;
  const char *name;
  BnScenarioKeyKind kind;
  const char *usual;            /* the default as text; "" for none        */
  double min, max;              /* inclusive, in the units above           */
  const char *const *choices;   /* CHOICE: NULL-terminated                 */
  const char *help;
} BnScenarioKey;

uint32_t bn_scenario_n_keys (void);

/* Key number `i`; for an option, `usual`, range and help are those of its spec. */
BnScenarioKey bn_scenario_key (uint32_t i);

/* The number of a key, or -1. */
int bn_scenario_find_key (const char *section, const char *name);

/* What a key takes, for lists and messages: "1 to 1024", "jobs|tasks".
 * Returns: (transfer full). */
char *bn_scenario_key_range (const BnScenarioKey *key);

/* The sections, NULL-terminated, in the order in which texts show them. */
extern const char *const bn_scenario_sections[];

/* A value that a person wrote, read by its key's kind. Options are read here too,
 * but into the options of the caller. */
typedef union BnScenarioValue
{
  int64_t integer;
  double real;
} BnScenarioValue;

/* Reads `text` and sets *ret and *canonical (transfer full), the text that stands
 * for the value in canonical form. FALSE with `error` set, without a place. Not
 * for BN_KEY_OPTION. */
gboolean bn_scenario_key_parse (const BnScenarioKey *key, const char *text, BnScenarioValue *ret, char **canonical,
                                GError **error);

#endif
