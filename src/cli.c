/* cli.c: what every verb of the command line shares.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "cli.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <gio/gio.h>

#include "output.h"

G_DEFINE_QUARK (bn-cli-error-quark, bn_cli_error)

const char *const bn_cli_formats[] = { "text", "csv", "json", NULL };

void
bn_cli_init (void)
{
  /* The wrong direction on purpose: using it is an error, not silence. */
  for (int fd = 0; fd <= 2; fd++)
    if (fcntl (fd, F_GETFD) == -1 && open ("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) != fd)
      _exit (BN_EXIT_BAD_INPUT);
  signal (SIGPIPE, SIG_IGN);
  signal (SIGXFSZ, SIG_IGN);
}

int
bn_cli_fail (GError *error)
{
  gboolean reader_left = g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_PIPE);
  gboolean unresponsive = g_error_matches (error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT);
  char *line;

  if (!reader_left)
    {
      line = g_strdelimit (g_strchomp (g_strdup (error->message)), "\r\n", ' ');
      fprintf (stderr, "binnacle: %s\n", line);
      g_free (line);
    }
  g_error_free (error);
  if (unresponsive)
    {
      fflush (NULL);
      _exit (BN_EXIT_BAD_INPUT);
    }
  return reader_left ? BN_EXIT_OK : BN_EXIT_BAD_INPUT;
}

char *
bn_cli_word (const char *text)
{
  gsize n_plain = strspn (text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=./:,+@%");

  return *text != '\0' && text[n_plain] == '\0' ? g_strdup (text) : g_shell_quote (text);
}

int
bn_cli_print (const char *text)
{
  GError *error = NULL;
  BnOutput *out = bn_output_open (NULL, &error);

  if (out == NULL)
    return bn_cli_fail (error);
  fputs (text, bn_output_file (out));
  return bn_output_close (out, &error) ? BN_EXIT_OK : bn_cli_fail (error);
}

static char *
usage_help (GOptionContext *context, const BnCliUsage *usage)
{
  char *body, *help;

  g_option_context_set_summary (context, usage->summary);
  body = g_strconcat ("Examples:\n", usage->examples, NULL);
  g_option_context_set_description (context, body);
  help = g_option_context_get_help (context, TRUE, NULL);
  g_free (body);
  return help;
}

static gboolean
count_is_right (const BnCliUsage *usage, int count, int min_args, int max_args, GError **error)
{
  if (count >= min_args && count <= max_args)
    return TRUE;
  g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_USAGE, "too %s arguments; usage: binnacle %s [OPTION…] %s",
               count < min_args ? "few" : "many", usage->verb, usage->arguments);
  return FALSE;
}

gboolean
bn_cli_parse (const BnCliUsage *usage, const GOptionEntry *entries, int min_args, int max_args, int *argc,
              char ***argv, int *exit)
{
  GError *error = NULL;
  gboolean help = FALSE, go_on = FALSE;
  GOptionContext *context = g_option_context_new (usage->arguments);
  const GOptionEntry own[] = {
    { "help", 'h', 0, G_OPTION_ARG_NONE, &help, "Show this help", NULL },
    { 0 },
  };
  char *text, *name = g_strconcat ("binnacle ", usage->verb, NULL);

  g_set_prgname (name);
  g_option_context_set_help_enabled (context, FALSE);
  g_option_context_set_main_group (context, g_option_group_new ("main", "", "", usage->data, NULL));
  g_option_context_add_main_entries (context, own, NULL);
  if (entries != NULL)
    g_option_context_add_main_entries (context, entries, NULL);

  *exit = BN_EXIT_OK;
  if (!g_option_context_parse (context, argc, argv, &error))
    {
      g_prefix_error (&error, "%s: ", usage->verb);
      text = g_strdup_printf ("%s; see binnacle %s --help", error->message, usage->verb);
      g_free (error->message);
      error->message = text;
      *exit = bn_cli_fail (error);
    }
  else if (help)
    {
      text = usage_help (context, usage);
      *exit = bn_cli_print (text);
      g_free (text);
    }
  else
    {
      if (*argc > 1 && strcmp ((*argv)[1], "--") == 0)
        {
          memmove (&(*argv)[1], &(*argv)[2], (size_t) (*argc - 1) * sizeof **argv);
          (*argc)--;
        }
      go_on = count_is_right (usage, *argc - 1, min_args, max_args, &error);
      if (!go_on)
        {
          g_prefix_error (&error, "%s: ", usage->verb);
          *exit = bn_cli_fail (error);
        }
    }
  g_option_context_free (context);
  g_free (name);
  return go_on;
}

gboolean
bn_cli_format (const char *name, BnCliFormat *ret, GError **error)
{
  *ret = BN_FORMAT_TEXT;
  if (name == NULL)
    return TRUE;
  for (int i = 0; bn_cli_formats[i] != NULL; i++)
    if (strcmp (bn_cli_formats[i], name) == 0)
      {
        *ret = (BnCliFormat) i;
        return TRUE;
      }
  g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_USAGE, "--format %s: no such format; use text, csv or json", name);
  return FALSE;
}

static char *
data_dir (void)
{
  const char *named = g_getenv ("BINNACLE_DATA_DIR");
  char *self, *dir, *tests = g_build_filename (BN_BUILDDIR, "tests", NULL);
  gboolean uninstalled = FALSE;

  if (named != NULL && *named != '\0')
    {
      g_free (tests);
      return g_strdup (named);
    }
  self = g_file_read_link ("/proc/self/exe", NULL);
  if (self != NULL)
    {
      dir = g_path_get_dirname (self);
      uninstalled = strcmp (dir, BN_BUILDDIR) == 0 || strcmp (dir, tests) == 0;
      g_free (dir);
    }
  g_free (self);
  g_free (tests);
  return g_strdup (uninstalled ? BN_SRCDIR : BN_PKGDATADIR);
}

char *
bn_cli_data_file (const char *name, GError **error)
{
  char *dir = data_dir ();
  char *path = g_build_filename (dir, name, NULL);

  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    {
      g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_INPUT,
                   "%s: no such file; install Binnacle again, or name the folder that holds %s in BINNACLE_DATA_DIR",
                   path, name);
      g_clear_pointer (&path, g_free);
    }
  g_free (dir);
  return path;
}

/* The shipped scenario of that name, or NULL. */
static char *
shipped_scenario (const char *dir, const char *name)
{
  static const char *const places[][2] = { { "", "" }, { "traces/scenarios", "" }, { "traces/scenarios", ".ini" },
                                            { "traces/studies", "" }, { "traces/studies", ".ini" } };
  char *path;

  for (guint i = 0; i < G_N_ELEMENTS (places) && !g_path_is_absolute (name); i++)
    {
      g_autofree char *file = g_strconcat (name, places[i][1], NULL);

      path = g_build_filename (dir, places[i][0], file, NULL);
      if (g_file_test (path, G_FILE_TEST_IS_REGULAR))
        return path;
      g_free (path);
    }
  return NULL;
}

char *
bn_cli_scenario_file (const char *name, GError **error)
{
  g_autofree char *dir = data_dir ();
  gboolean exists = g_file_test (name, G_FILE_TEST_EXISTS);
  char *path = exists && !g_file_test (name, G_FILE_TEST_IS_DIR) ? g_strdup (name) : shipped_scenario (dir, name);

  if (path == NULL && exists)
    path = g_strdup (name);
  if (path == NULL)
    g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_INPUT,
                 "%s: no such file, and no scenario of that name in %s/traces/scenarios; name a scenario file", name,
                 dir);
  return path;
}

char **
bn_cli_overrides (const BnCliKeys *keys)
{
  GPtrArray *texts = g_ptr_array_new ();
  const struct
  {
    const char *key, *value;
  } options[] = {
    { "schedulers.compare", keys->schedulers }, { "scenario.seeds", keys->seeds },
    { "scenario.record", keys->record },        { "backend.name", keys->backend },
    { "workload.speed", keys->speed },          { "workload.scale", keys->scale },
    { "workload.profile", keys->profile },      { "backend.verify", keys->verify ? "on" : NULL },
  };

  for (char **set = keys->set; set && *set; set++)
    g_ptr_array_add (texts, g_strdup (*set));
  if (keys->plugins)
    {
      g_autofree char *list = g_strjoinv (" ", keys->plugins);
      g_ptr_array_add (texts, g_strconcat ("schedulers.plugins=", list, NULL));
    }
  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    if (options[i].value)
      g_ptr_array_add (texts, g_strconcat (options[i].key, "=", options[i].value, NULL));
  g_ptr_array_add (texts, NULL);
  return (char **) g_ptr_array_free (texts, FALSE);
}

void
bn_cli_keys_clear (BnCliKeys *keys)
{
  g_strfreev (keys->set);
  g_strfreev (keys->plugins);
  g_free (keys->schedulers);
  g_free (keys->seeds);
  g_free (keys->record);
  g_free (keys->backend);
  g_free (keys->speed);
  g_free (keys->scale);
  g_free (keys->profile);
}

char *
bn_cli_default_output (const char *path)
{
  g_autofree char *base = g_path_get_basename (path);

  if (g_str_has_suffix (base, ".ini"))
    base[strlen (base) - strlen (".ini")] = '\0';
  return g_strconcat (base, ".db", NULL);
}
