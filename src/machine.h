/* machine.h: what the operating system says of the machine that a run is on.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef BN_MACHINE_H
#define BN_MACHINE_H

#include <glib.h>

/* CPU time of all processors since the machine started, in its clock's ticks. */
typedef struct BnMachineTimes
{
  guint64 total;  /* 0: unknown                                             */
  guint64 steal;  /* taken by the host of a virtual machine for others       */
} BnMachineTimes;

/* From /proc/stat; all 0 where there is none. */
BnMachineTimes bn_machine_times (void);

/* The same from the text of /proc/stat. */
BnMachineTimes bn_machine_times_parse (const char *text);

/* The share stolen from `before` until `after`, or -1 where that is unknown. */
double bn_machine_steal (BnMachineTimes before, BnMachineTimes after);

/* "Linux 6.1, 2 x Intel(R) …", one line for a person. Returns: (transfer full). */
char *bn_machine_describe (void);

#endif
