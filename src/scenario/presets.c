/* presets.c: the table of presets.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Their values are ours, measured in doc/studies/beyond.md.
 */
#include "presets.h"

#include <string.h>

const BnPreset bn_presets[] = {
  { "late-min", "late", "behind=0,full-load=3,miss-penalty=0,queue=key,reserve=own",
    "the smallest change to Compass: place when ready, run by key; no message" },
  { "late", "late", "behind=0.15,full-load=3,miss-penalty=0.5,queue=key,evict=value,reserve=published,redecide,steal",
    "all that the workers can do with the GPU manager that Compass has" },
  { "late-overlap", "late",
    "behind=0,full-load=2,miss-penalty=1,queue=key,evict=value,reserve=published,redecide,steal,overlap=bypass,"
    "proactive",
    "late, and loads go beside tasks" },
  { "pull", "pull", "reserve=own,queue=key,evict=value", "yardstick: a central pool that knows the truth" },
};

const guint bn_n_presets = G_N_ELEMENTS (bn_presets);

const BnPreset *
bn_preset_find (const char *name)
{
  for (guint i = 0; i < bn_n_presets; i++)
    if (strcmp (bn_presets[i].name, name) == 0)
      return &bn_presets[i];
  return NULL;
}
