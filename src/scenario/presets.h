/* presets.h: schedulers with settings that belong together, under one name.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * A preset stands where a scheduler's name may stand; what follows in brackets changes
 * its settings, and its settings override the scenario's [options]. It may bear the name
 * of its scheduler, which then means the preset.
 */
#ifndef BN_PRESETS_H
#define BN_PRESETS_H

#include <glib.h>

typedef struct BnPreset
{
  const char *name;
  const char *scheduler;
  const char *settings;   /* as in brackets */
  const char *summary;    /* one line       */
} BnPreset;

extern const BnPreset bn_presets[];
extern const guint bn_n_presets;

/* NULL where there is none of that name. */
const BnPreset *bn_preset_find (const char *name);

#endif
