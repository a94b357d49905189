/* scan.h: numbers and dates of traces, fast.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef BN_SCAN_H
#define BN_SCAN_H

#include <glib.h>

#include "bn.h"

/* A number without a unit times `unit_ns` (>= 1), exact and rounded once, half up (half away
 * from 0 below it). Sets *ret. FALSE for what is no number or does not fit. */
gboolean bn_scan_time (const char *text, BnDuration unit_ns, BnTime *ret);

/* A date with a time of day, `2023-11-16 18:17:03.9799600`: a blank or `T` between them, any
 * digits of a second (rounded half up to nanoseconds), and `Z`, `+00:00` or `+0000`, or no zone,
 * which is taken for UTC. Sets *ret to nanoseconds since 1970. FALSE for what is none, and beyond
 * the years 1910 to 2199, of which any two are less than 2^63 ns apart. */
gboolean bn_scan_date (const char *text, BnTime *ret);

/* A plain number; FALSE for any other text. */
gboolean bn_scan_real (const char *text, double *ret);

#endif
