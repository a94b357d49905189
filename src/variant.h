/* variant.h: `name[key=value,…]`, a scheduler with its settings.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Inside the brackets stand parameters of the scheduler itself and the options
 * that any scheduler takes (queue, evict, evict-cost, prefetch, reserve,
 * decision-cost, contention, load-staleness, cache-staleness). A bare word is a
 * boolean parameter set to on, or the one choice parameter that has this choice:
 * `hash[random]`, `heft[central,cache]`.
 */
#ifndef BN_VARIANT_H
#define BN_VARIANT_H

#include <glib.h>

#include "run.h"

typedef struct BnVariant
{
  char *name;                    /* canonical: settings that differ from the
                                    defaults, in the order of the tables; or the
                                    text before a `:` label                      */
  const BnScheduler *scheduler;
  BnParamValue *params;          /* [scheduler->n_params] */
  BnRunOptions options;
} BnVariant;

/* Parses one variant on top of `base`. NULL with `error` set: unknown scheduler
 * or key (with the nearest known one), bad value.
 * Returns: (transfer full). */
BnVariant *bn_variant_parse (const char *text, const BnRunOptions *base, GError **error);
void bn_variant_free (BnVariant *variant);

/* Splits a list at commas outside brackets: "jit, compass[queue=srpt,adjust=off]".
 * Returns: (transfer full): NULL-terminated. */
char **bn_variant_split (const char *list);

/* All settings of a variant, scheduler parameters first, as `key=value` lines in
 * table order: what results record. Returns: (transfer full). */
char *bn_variant_settings (const BnVariant *variant);

/* The options that any scheduler takes, for `binnacle list`. */
extern const BnParamSpec bn_variant_options[];
extern const uint32_t bn_n_variant_options;

#endif
