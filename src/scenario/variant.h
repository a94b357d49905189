/* variant.h: `name[key=value,…]`, a scheduler with its settings.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Inside the brackets stand parameters of the scheduler itself and the options
 * that any scheduler takes (bn_variant_options). A bare word is a boolean
 * parameter set to on, or the one choice parameter that has this choice:
 * `hash[random]`, `heft[central,cache]`. A label may stand before it:
 * `mine: compass[adjust=off]`. A program of somebody's own (exec:COMMAND) also takes
 * `param.NAME=VALUE`, which it is told.
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
  char *source;                  /* as it was written, blanks around it removed:
                                    parses to the same variant on the same base  */
  const BnScheduler *scheduler;
  BnParamValue *params;          /* [scheduler->n_params] */
  BnRunOptions options;
  char **own_settings;           /* "NAME=VALUE" of param.NAME=VALUE, by name, NULL-terminated; NULL: none */
} BnVariant;

/* Parses one variant on top of `base`, which is the default of every option.
 * NULL with `error` set, one line without a place: unknown scheduler or key (with
 * the nearest known one), bad value, a key given twice. Returns: (transfer full). */
BnVariant *bn_variant_parse (const char *text, const BnRunOptions *base, GError **error);
/* The same with more schedulers than the program's own: `others`, NULL-terminated, which outlive the variant. */
BnVariant *bn_variant_parse_among (const char *text, const BnScheduler *const *others, const BnRunOptions *base,
                                   GError **error);
void bn_variant_free (BnVariant *variant);

/* Splits a list at commas outside brackets: "jit, compass[queue=srpt,adjust=off]".
 * The member `all` stands for every scheduler with its defaults.
 * Empty members are dropped. Returns: (transfer full): NULL-terminated. */
char **bn_variant_split (const char *list);

/* All settings of a variant, scheduler parameters first, as `key=value` lines in
 * table order, then those of its own: what results record. Returns: (transfer full). */
char *bn_variant_settings (const BnVariant *variant);

/* ---- options: what any scheduler takes ---- */

/* For `binnacle list`, in the order in which names show them. The choices of
 * `queue` and `evict` are bn_queue_order_names and bn_eviction_names.
 * The staleness options read as durations with a mode in front:
 * `10ms` = `delay:10ms`, or `interval:10ms`. */
extern const BnParamSpec bn_variant_options[];
extern const uint32_t bn_n_variant_options;

/* Every option at its default. */
BnRunOptions bn_variant_default_options (void);

/* Sets option number `option`, an index into bn_variant_options. */
gboolean bn_variant_set_option (BnRunOptions *options, uint32_t option, const char *text, GError **error);

/* Its value as text that sets it again. Returns: (transfer full). */
char *bn_variant_get_option (const BnRunOptions *options, uint32_t option);

#endif
