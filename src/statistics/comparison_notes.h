/* comparison_notes.h: what the numbers of a comparison are good for.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef BN_COMPARISON_NOTES_H
#define BN_COMPARISON_NOTES_H

#include "compared.h"

/* Adds a line to `text` for each thing that is to be known before the table is believed:
 * that one seed has no interval, that a trace has no replications or how it was resampled,
 * that runs are shorter than their load needs or not in equilibrium, that a beginning is
 * not level. FALSE with `error` set where the database cannot be read. `compared` is in
 * order of variant. */
gboolean bn_comparison_notes (const BnCompared *compared, sqlite3 *db, GString *text, GError **error);

#endif
