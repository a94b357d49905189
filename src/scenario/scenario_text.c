/* scenario_text.c: a scenario as text: what one run is, what reads it again.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "scenario_parts.h"

/* Which runs there are, how they are called and how much is kept of them: nothing that a
 * run's numbers depend on, but for its own seed and scheduler. */
static const char *const not_of_a_run[]
  = { "scenario.name = ", "scenario.seeds = ", "scenario.record = ", "schedulers.compare = " };

void
bn_scenario_hash_text (const char *text, GChecksum *checksum)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (char **line = lines; *line != NULL; line++)
    {
      gboolean counts = TRUE;
      for (guint i = 0; i < G_N_ELEMENTS (not_of_a_run) && counts; i++)
        counts = !g_str_has_prefix (*line, not_of_a_run[i]);
      if (!counts)
        continue;
      g_checksum_update (checksum, (const guchar *) *line, -1);
      g_checksum_update (checksum, (const guchar *) "\n", 1);
    }
}

char *
bn_scenario_run_text (const BnScenario *scenario, const BnVariant *variant, uint64_t seed)
{
  g_auto (GStrv) lines = g_strsplit (scenario->text, "\n", -1);

  for (char **line = lines; *line != NULL; line++)
    {
      char *own = g_str_has_prefix (*line, "scenario.seeds = ")
                    ? g_strdup_printf ("scenario.seeds = %" G_GUINT64_FORMAT, (guint64) seed)
                  : g_str_has_prefix (*line, "schedulers.compare = ")
                    ? g_strconcat ("schedulers.compare = ", variant->source, NULL)
                    : NULL;
      if (own == NULL)
        continue;
      g_free (*line);
      *line = own;
    }
  return g_strjoinv ("\n", lines);
}

static void
append_set (GString *text, const char *set, gboolean of_one_run)
{
  g_autofree char *quoted = g_shell_quote (set);

  if (!of_one_run || (!g_str_has_prefix (set, "schedulers.compare=") && !g_str_has_prefix (set, "scenario.seeds=")))
    g_string_append_printf (text, " --set %s", quoted);
}

char *
bn_scenario_arguments (const char *path, const char *const *overrides, const BnScenarioSetting *settings, gsize n,
                       gboolean of_one_run)
{
  g_autofree char *quoted = g_shell_quote (path);
  GString *text = g_string_new (quoted);

  for (; overrides != NULL && *overrides != NULL; overrides++)
    append_set (text, *overrides, of_one_run);
  for (gsize i = 0; i < n; i++)
    {
      g_autofree char *set = g_strconcat (settings[i].name, "=", settings[i].value, NULL);
      append_set (text, set, of_one_run);
    }
  return g_string_free (text, FALSE);
}
