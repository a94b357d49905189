/* pool_bar.h: a line on the terminal: how many units have ended, and how long it will take.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef BN_POOL_BAR_H
#define BN_POOL_BAR_H

#include <glib.h>

typedef struct BnPoolBar BnPoolBar;

/* `n` units are to be run; `n_kept` more were there already, and say nothing about how long
 * the others take. Draws nothing unless `visible`. */
BnPoolBar *bn_pool_bar_new (guint n, guint n_kept, gboolean visible);

/* `n_done` and `n_failed` of them have ended. */
void bn_pool_bar_draw (BnPoolBar *bar, guint n_done, guint n_failed);

/* Before something else is printed. */
void bn_pool_bar_wipe (BnPoolBar *bar);
void bn_pool_bar_free (BnPoolBar *bar);

#endif
