/* plot_axis.h: what keys and metrics are called on an axis, and values as numbers.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef BN_PLOT_AXIS_H
#define BN_PLOT_AXIS_H

#include <glib.h>

/* The number that a value of a scenario's key stands for, in the unit of its axis:
 * ms, GB, GB/s, 1/s; of "interval:10ms" 10. FALSE where it is a word. */
gboolean bn_axis_number (const char *key, const char *text, double *ret);

/* Bytes of a value before its number: 9 of "interval:10ms". */
gsize bn_axis_prefix (const char *text);

/* "offered load", "GPU memory [GB]". Returns: (transfer full). */
char *bn_axis_title (const char *key);

/* "mean slowdown", "p99 latency"; with its unit, "p99 latency [ms]". Returns: (transfer
 * full). */
char *bn_axis_metric (const char *metric, gboolean with_unit);

#endif
