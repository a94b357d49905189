/* gnuplot.c: runs a gnuplot script with settings, without a shell.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "gnuplot.h"

#include <gio/gio.h>

#include "cli.h"

struct BnGnuplot
{
  char *program;
  GString *settings;  /* statements, each ended by "; " */
  guint elements;  /* of the array being built */
};

BnGnuplot *
bn_gnuplot_new (GError **error)
{
  BnGnuplot *gnuplot;
  char *program = g_find_program_in_path ("gnuplot");

  if (program == NULL)
    {
      g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_TOOL,
                   "gnuplot: not found; install it (Debian: apt-get install gnuplot-nox) and call this again");
      return NULL;
    }
  gnuplot = g_new0 (BnGnuplot, 1);
  gnuplot->program = program;
  gnuplot->settings = g_string_new (NULL);
  return gnuplot;
}

void
bn_gnuplot_free (BnGnuplot *gnuplot)
{
  if (gnuplot == NULL)
    return;
  g_free (gnuplot->program);
  g_string_free (gnuplot->settings, TRUE);
  g_free (gnuplot);
}

/* In single quotes nothing but the quote itself has a meaning. */
static void
append_quoted (GString *out, const char *text)
{
  g_string_append_c (out, '\'');
  for (; *text != '\0'; text++)
    {
      if (*text == '\'')
        g_string_append_c (out, '\'');
      g_string_append_c (out, *text == '\n' || *text == '\r' ? ' ' : *text);
    }
  g_string_append_c (out, '\'');
}

void
bn_gnuplot_set_text (BnGnuplot *gnuplot, const char *name, const char *value)
{
  g_string_append_printf (gnuplot->settings, "%s = ", name);
  append_quoted (gnuplot->settings, value);
  g_string_append (gnuplot->settings, "; ");
}

/* The decimal point makes gnuplot reckon with reals also where the value is whole. */
void
bn_gnuplot_set_number (BnGnuplot *gnuplot, const char *name, double value)
{
  char text[64];

  g_ascii_formatd (text, sizeof text, "%.9f", value);
  g_string_append_printf (gnuplot->settings, "%s = %s; ", name, text);
}

void
bn_gnuplot_begin_array (BnGnuplot *gnuplot, const char *name)
{
  gnuplot->elements = 0;
  g_string_append_printf (gnuplot->settings, "array %s = [", name);
}

static void
separate (BnGnuplot *gnuplot)
{
  if (gnuplot->elements++ > 0)
    g_string_append (gnuplot->settings, ", ");
}

void
bn_gnuplot_add_text (BnGnuplot *gnuplot, const char *value)
{
  separate (gnuplot);
  append_quoted (gnuplot->settings, value);
}

void
bn_gnuplot_add_number (BnGnuplot *gnuplot, gint64 value)
{
  separate (gnuplot);
  g_string_append_printf (gnuplot->settings, "%" G_GINT64_FORMAT, value);
}

void
bn_gnuplot_end_array (BnGnuplot *gnuplot)
{
  g_assert (gnuplot->elements > 0);
  g_string_append (gnuplot->settings, "]; ");
}

/* gnuplot quotes the statement at fault and points at it before it says what is
 * wrong, so the last line that is not empty tells most. */
static void
set_failure (GError **error, const char *script, const char *said)
{
  char **lines = g_strsplit (said ? said : "", "\n", -1);
  guint i = g_strv_length (lines);
  char *name = g_path_get_basename (script);

  while (i > 0 && *g_strstrip (lines[i - 1]) == '\0')
    i--;
  g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_TOOL, "gnuplot failed on %s: %s", name,
               i > 0 ? lines[i - 1] : "it did not say why");
  g_free (name);
  g_strfreev (lines);
}

gboolean
bn_gnuplot_run (BnGnuplot *gnuplot, const char *script, GError **error)
{
  char *said = NULL;
  gboolean done = FALSE;
  GSubprocess *process
    = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_SILENCE | G_SUBPROCESS_FLAGS_STDERR_PIPE, error, gnuplot->program,
                        "-d", "-e", gnuplot->settings->str, script, NULL);

  if (process == NULL)
    return FALSE;
  if (g_subprocess_communicate_utf8 (process, NULL, NULL, NULL, &said, error))
    {
      done = g_subprocess_get_successful (process);
      if (!done)
        set_failure (error, script, said);
    }
  g_free (said);
  g_object_unref (process);
  return done;
}
