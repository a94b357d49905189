/* scenario.h: a scenario file, read and checked.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Sections and keys, with units and defaults, are in one table in scenario_keys.c;
 * `binnacle list keys` and doc/scenario.md are printed from it. A file that
 * loads is complete: every name is resolved, every number in range, every trace
 * read once to its end.
 */
#ifndef BN_SCENARIO_H
#define BN_SCENARIO_H

#include <gio/gio.h>

#include "input_error.h"
#include "plugins.h"
#include "profile.h"
#include "run.h"
#include "variant.h"

typedef enum
{
  BN_RECORD_SUMMARY,
  BN_RECORD_JOBS,
  BN_RECORD_TASKS
} BnRecord;

typedef struct BnScenario
{
  char *path;              /* as given                                           */
  char *name;              /* [scenario] name, else the file's name without .ini */
  char *text;              /* canonical text after overrides: section.key = value
                              lines in table order                                */
  char sha256[65];         /* of text but for the lines of scenario.name, scenario.seeds,
                              scenario.record and schedulers.compare, and of the
                              catalogue files' SHA-256s and plug-ins' bytes       */
  BnPlatform *platform;
  BnCatalogue *catalogue;
  BnArrivalsConfig arrivals;
  BnTraceSummary trace;    /* n_rows 0 and sha256 "" unless a trace drives it    */
  BnNoise noise;
  BnRunOptions options;    /* defaults of every variant                          */
  BnPreload *preloads;
  uint32_t n_preloads;
  BnPlugins *plugins;      /* whose schedulers variants may be; or NULL          */
  BnVariant **variants;    /* [n_variants] to compare, in file order             */
  uint32_t n_variants;
  char **remarks;          /* NULL-terminated, to be shown once: options that a variant
                              sets and its scheduler does not heed, keys that stand
                              for nothing beside others                          */
  uint64_t *seeds;         /* [n_seeds] */
  uint32_t n_seeds;
  BnRecord record;
  BnDuration warmup_ns;    /* jobs created before it are left out of metrics     */
  double warmup_share;     /* instead, where above 0: see bn_scenario_warmup     */
  double offered_load;     /* jobs a second that come / that the cluster can execute:
                              rate / sum over workers w of slots(w) / W(w), with W(w)
                              the runtimes R(t, w) of a job's tasks summed up, a mean
                              over the mix, or over what a trace names. Of a trace's n
                              jobs, rate = (n - 1) / (last - first). 0: unknown      */
  double least_load;       /* the same, of the most that any scheduler can execute: what
                              is above 1 cannot be in equilibrium. Another than offered_load
                              where runtimes are stated for some GPU types, and the right
                              task on the right GPU is worth more than the mean          */
  const BnBackend *backend;
  BnBackendSettings backend_settings;
  BnDuration watchdog_ns;
  gboolean noise_unused;   /* the file asks for noise, and runtimes are real               */
  double speed;            /* of arrivals: already in their times                       */
  int64_t scale_ppm;       /* of sizes and runtimes: already in catalogue and platform   */
  BnProfile *profile;      /* already laid over both and over noise; or NULL             */
  BnProfileFit fit;        /* of the profile                                             */
  BnMeasured measured;     /* what backend_settings points to, of the profile            */
  uint32_t sweep_line;     /* of the section [sweep], which means nothing here; 0: none */
} BnScenario;

/* A value of one key that takes the place of the file's: `name` is section.key, or
 * servers.NAME.key. */
typedef struct BnScenarioSetting
{
  const char *name, *value;
  BnPlace place;           /* for messages */
  gboolean override;       /* from the command line: outdoes the file; paths are
                              relative to the working directory */
} BnScenarioSetting;

/* `overrides` are `section.key=value` texts (`servers.NAME.key=value` where there
 * are several groups), applied in order, the last word counts; NULL for none.
 * Returns: (transfer full), or NULL with `error` set: FILE:LINE, what is wrong,
 * what to do. Relative paths in a scenario are relative to its folder, those in an
 * override to the working directory. */
BnScenario *bn_scenario_read (const char *path, const char *const *overrides, GError **error);
void bn_scenario_free (BnScenario *scenario);

/* One to be filled in by somebody who has no file: on the model, without anything else. What
 * it points to is freed with it, but for what arrivals points to. Returns: (transfer full). */
BnScenario *bn_scenario_new (void);

/* Whether tasks may differ in which of the cluster's GPU types suits them: runtimes are stated for some. */
gboolean bn_scenario_is_specialised (const BnScenario *scenario);

/* Lets the model take what the scenario's profile and its fit say; both are there, and the catalogue. */
void bn_scenario_use_measured (BnScenario *scenario);

/* The same with `n` more settings, applied after the overrides. */
BnScenario *bn_scenario_read_with (const char *path, const char *const *overrides, const BnScenarioSetting *settings,
                                   gsize n, GError **error);

/* What reads the same scenario on a command line: its path and a --set for each override and
 * setting. `of_one_run`: without seeds and schedulers, which a run says itself.
 * Returns: (transfer full). */
char *bn_scenario_arguments (const char *path, const char *const *overrides, const BnScenarioSetting *settings,
                             gsize n, gboolean of_one_run);

/* Sets *ret to the warm-up of a run with this seed: warmup_ns, or, where a share is
 * asked for, the creation of the first job that counts: number ceil (share x jobs),
 * from 0, of a trace's rows or of `jobs`; share x until where `until` is given and
 * there is no trace. FALSE with `error` set where the arrivals fail. O(jobs left out). */
gboolean bn_scenario_warmup (const BnScenario *scenario, uint64_t seed, BnDuration *ret, GError **error);

/* The text of one of its runs: scenario.seeds and schedulers.compare name this run's
 * alone, so that it is the same whatever else is run. Returns: (transfer full). */
char *bn_scenario_run_text (const BnScenario *scenario, const BnVariant *variant, uint64_t seed);

/* Whether tasks are really executed: the clock is the wall's. */
gboolean bn_scenario_is_real (const BnScenario *scenario);

/* Whether decisions of one of its variants cost what they are measured to take. */
gboolean bn_scenario_measures_decisions (const BnScenario *scenario);

/* Whether its backend can be used on this machine, and does what is asked of it; else
 * FALSE with `error` set to why not. */
gboolean bn_scenario_backend_usable (const BnScenario *scenario, GError **error);

/* What the whole program prints of a scenario's keys. Returns: (transfer full). */
char *bn_scenario_keys_help (void);

#endif
