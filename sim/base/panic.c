/* panic.c: ends the process with what is known about a broken assertion.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "panic.h"

#include <glib.h>
#include <inttypes.h>

static _Thread_local const BnPanicContext *current_context;

const BnPanicContext *
bn_panic_enter (const BnPanicContext *context)
{
  const BnPanicContext *before = current_context;
  current_context = context;
  return before;
}

void
bn_panic (const char *file, int line, const char *function, const char *condition)
{
  const BnPanicContext *c = current_context;

  if (c)
    g_printerr ("binnacle: this is a defect, please report it: %s:%d: %s: assertion failed: %s\n"
                "binnacle: at %" PRId64 " ns of simulated time, event %" PRIu64 ", scheduler %s, seed %" PRIu64 "\n",
                file, line, function, condition, c->now_ns, c->event, c->scheduler ? c->scheduler : "?", c->seed);
  else
    g_printerr ("binnacle: this is a defect, please report it: %s:%d: %s: assertion failed: %s\n", file, line,
                function, condition);
  if (c && c->repeat_command)
    g_printerr ("binnacle: to repeat it: %s\n", c->repeat_command);
  g_abort ();
}
