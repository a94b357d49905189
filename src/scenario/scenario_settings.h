/* scenario_settings.h: the values of a scenario's keys, and where they stand.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Reads a scenario file and the overrides of the command line into one value for
 * every key of scenario_keys.h, defaults included. Each value has been read and
 * is in its key's range; what several keys mean together is scenario.c's.
 */
#ifndef BN_SCENARIO_SETTINGS_H
#define BN_SCENARIO_SETTINGS_H

#include "input_error.h"
#include "run.h"
#include "scenario.h"
#include "scenario_keys.h"

typedef struct BnSettings BnSettings;

/* NULL with `error` set: see bn_scenario_read_with. Returns: (transfer full). */
BnSettings *bn_settings_read (const char *path, const char *const *overrides, const BnScenarioSetting *settings,
                              gsize n, GError **error);
void bn_settings_free (BnSettings *settings);

/* The line of the file's section [sweep], which is passed over; 0: none. */
uint32_t bn_settings_sweep_line (const BnSettings *s);

/* Who gave a value that is outside [servers]: each outdoes those before it. */
typedef enum
{
  BN_GIVEN_BY_NOBODY,
  BN_GIVEN_BY_FILE,
  BN_GIVEN_BY_OVERRIDE
} BnGiven;

BnGiven bn_settings_given (const BnSettings *s, uint32_t key);
BnPlace bn_settings_place (const BnSettings *s, uint32_t key);

/* Takes a value outside [servers] back to its default; leaves it out of the canonical
 * text, as another key has taken its place. */
void bn_settings_reset (BnSettings *s, uint32_t key);
/* Gives a value that nobody has given another default. */
void bn_settings_set_default (BnSettings *s, uint32_t key, const char *text);
void bn_settings_hide (BnSettings *s, uint32_t key);

/* Server groups, in file order; the name is "" for [servers] alone. */
uint32_t bn_settings_n_groups (const BnSettings *s);
const char *bn_settings_group_name (const BnSettings *s, uint32_t group);

/* The value of a key. `group` is that of a key of [servers], else 0. Text is
 * canonical and never NULL. */
const char *bn_settings_text (const BnSettings *s, uint32_t key, uint32_t group);
int64_t bn_settings_integer (const BnSettings *s, uint32_t key, uint32_t group);
double bn_settings_real (const BnSettings *s, uint32_t key, uint32_t group);
const BnRunOptions *bn_settings_options (const BnSettings *s);

/* Sets `error` to "PLACE: section.key: …", where the place is the line that the
 * value comes from, the option `--set …`, or the file where it is a default.
 * Returns FALSE. */
gboolean bn_settings_fail (const BnSettings *s, uint32_t key, uint32_t group, GError **error, const char *format, ...)
    G_GNUC_PRINTF (5, 6);

/* The same before an error that is set. */
gboolean bn_settings_prefix (const BnSettings *s, uint32_t key, GError **error);

/* A path of the value of `key`: relative to the scenario's folder, or for one
 * given by an override to the working directory. Returns: (transfer full). */
char *bn_settings_path (const BnSettings *s, uint32_t key, const char *path);

/* `section.key = value` lines in table order, every key that is not hidden.
 * Returns: (transfer full). */
char *bn_settings_canonical (const BnSettings *s);

#endif
