/* machine.c: what the operating system says of the machine that a run is on.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * /proc/stat and /proc/cpuinfo are Linux's; see proc(5).
 */
#include "machine.h"

#include <string.h>
#include <sys/utsname.h>

BnMachineTimes
bn_machine_times_parse (const char *text)
{
  /* user nice system idle iowait irq softirq steal; guest time is in user */
  enum { STEAL = 7, N_FIELDS };
  BnMachineTimes times = { 0 };

  if (!g_str_has_prefix (text, "cpu "))
    return times;
  text += strlen ("cpu");
  for (int i = 0; i < N_FIELDS; i++)
    {
      char *end;
      guint64 ticks = g_ascii_strtoull (text, &end, 10);
      if (end == text)
        return (BnMachineTimes) { 0 };
      times.total += ticks;
      times.steal = i == STEAL ? ticks : 0;
      text = end;
    }
  return times;
}

BnMachineTimes
bn_machine_times (void)
{
  g_autofree char *text = NULL;

  return g_file_get_contents ("/proc/stat", &text, NULL, NULL) ? bn_machine_times_parse (text) : (BnMachineTimes) { 0 };
}

double
bn_machine_steal (BnMachineTimes before, BnMachineTimes after)
{
  if (after.total <= before.total || after.steal < before.steal)
    return -1;
  return (double) (after.steal - before.steal) / (double) (after.total - before.total);
}

/* The first processor's name, or NULL. */
static char *
processor_name (void)
{
  g_autofree char *text = NULL;
  const char *line;

  if (!g_file_get_contents ("/proc/cpuinfo", &text, NULL, NULL) || (line = strstr (text, "model name")) == NULL
      || (line = strchr (line, ':')) == NULL)
    return NULL;
  return g_strstrip (g_strndup (line + 1, strcspn (line + 1, "\n")));
}

char *
bn_machine_describe (void)
{
  struct utsname system;
  g_autofree char *processor = processor_name ();

  if (uname (&system) != 0)
    return g_strdup ("an unknown machine");
  return g_strdup_printf ("%s %s, %u x %s", system.sysname, system.release, g_get_num_processors (),
                          processor ? processor : system.machine);
}
