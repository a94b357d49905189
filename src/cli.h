/* cli.h: what every verb of the command line shares.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * A verb is `int bn_cmd_<verb> (int argc, char **argv)` in cmd_<verb>.c, with
 * argv[0] the verb's name, and a line in the table of main.c. What it found goes
 * to standard output, everything else to standard error. It returns one of the
 * exit statuses below.
 */
#ifndef BN_CLI_H
#define BN_CLI_H

#include <glib.h>

#define BN_CLI_ERROR (bn_cli_error_quark ())
GQuark bn_cli_error_quark (void);

typedef enum
{
  BN_CLI_ERROR_USAGE,  /* the command line is wrong                    */
  BN_CLI_ERROR_INPUT,  /* a file that is read is missing or is no good */
  BN_CLI_ERROR_OUTPUT, /* a file cannot be written                     */
  BN_CLI_ERROR_TOOL    /* another program is missing or has failed     */
} BnCliError;

typedef enum
{
  BN_EXIT_OK = 0,
  BN_EXIT_FOUND = 1,     /* it worked, and what it found is bad: unfinished jobs, a failed check */
  BN_EXIT_BAD_INPUT = 2  /* it could not work: one line on standard error says why               */
} BnExit;

int bn_cmd_run (int argc, char **argv);
int bn_cmd_compare (int argc, char **argv);
int bn_cmd_bound (int argc, char **argv);
int bn_cmd_list (int argc, char **argv);
int bn_cmd_metrics (int argc, char **argv);
int bn_cmd_check (int argc, char **argv);
int bn_cmd_calibrate (int argc, char **argv);
int bn_cmd_replay (int argc, char **argv);
int bn_cmd_validate (int argc, char **argv);
int bn_cmd_explain (int argc, char **argv);
int bn_cmd_export (int argc, char **argv);
int bn_cmd_plot (int argc, char **argv);
int bn_cmd_sweep (int argc, char **argv);
int bn_cmd_merge (int argc, char **argv);
int bn_cmd_workflow (int argc, char **argv);
int bn_cmd_plan (int argc, char **argv);
int bn_cmd_trace (int argc, char **argv);

/* How a verb is called, for its --help. */
typedef struct BnCliUsage
{
  const char *verb;
  const char *arguments;  /* "SCENARIO", "FILE --job N", …         */
  const char *summary;    /* sentences                             */
  const char *examples;   /* whole lines, each beginning with two
                             blanks; printed below "Examples:"     */
  gpointer data;          /* what callbacks of options are given    */
} BnCliUsage;

/* Parses options with GOption, `--help` included. TRUE: go on, argv holds argv[0]
 * and what is no option, from min_args to max_args of it. FALSE: return *exit;
 * help or one line of error has been printed. */
gboolean bn_cli_parse (const BnCliUsage *usage, const GOptionEntry *entries, int min_args, int max_args, int *argc,
                       char ***argv, int *exit);

/* Prints `binnacle: MESSAGE` on standard error. Line ends inside become blanks.
 * Returns: BN_EXIT_BAD_INPUT. Takes the error. A broken pipe is neither reported
 * nor bad, BN_EXIT_OK: whoever read the output had enough of it. With G_IO_ERROR_TIMED_OUT,
 * a backend that does not answer any more, the program ends here: that backend's threads may still
 * use what callers would free, and what the destructors of libraries would take away. */
int bn_cli_fail (GError *error);

/* `text` as a word of a shell's command line, in quotes only where it must be. Returns: (transfer full). */
char *bn_cli_word (const char *text);

/* Prints `text` to standard output. Returns the exit status. */
int bn_cli_print (const char *text);

/* How tables are printed. */
typedef enum
{
  BN_FORMAT_TEXT,
  BN_FORMAT_CSV,
  BN_FORMAT_JSON
} BnCliFormat;

/* The word for each, NULL-terminated. */
extern const char *const bn_cli_formats[];

/* Sets *ret; NULL is text. FALSE with `error` set for a word that is none. */
gboolean bn_cli_format (const char *name, BnCliFormat *ret, GError **error);

/* The path of a data file ("plots/gantt.gp", "traces/scenarios/demo.ini"): in
 * $BINNACLE_DATA_DIR where that is set, beside the sources where the program
 * runs from its build folder, else where it is installed.
 * Returns: (transfer full), or NULL with `error` set where there is no such file. */
char *bn_cli_data_file (const char *name, GError **error);

/* The scenario that `name` means: the file of that name where there is one, else,
 * unless it is an absolute path, the first of these in the data folder (see
 * bn_cli_data_file): NAME, traces/scenarios/NAME, traces/scenarios/NAME.ini, and the
 * same two in traces/studies.
 * Returns: (transfer full), or NULL with `error` set, which names both places. */
char *bn_cli_scenario_file (const char *name, GError **error);

/* Options that stand for keys of a scenario; each NULL unless given. */
typedef struct BnCliKeys
{
  char **set, **plugins;
  char *schedulers, *seeds, *record;
  char *backend, *speed, *scale, *profile;
  gboolean verify;
} BnCliKeys;

/* The overrides in the order in which they count: --set first, as it was given, then the
 * options that stand for a key. Returns: (transfer full). */
char **bn_cli_overrides (const BnCliKeys *keys);
void bn_cli_keys_clear (BnCliKeys *keys);

/* The entry that says where more schedulers are, for an array of GOptionEntry. */
#define BN_CLI_PLUGIN_ENTRY(keys) \
  { "plugin", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &(keys).plugins, "a shared object with a scheduler; may be repeated", \
    "FILE.so" }

/* That one, and those that say who does the work. */
#define BN_CLI_BACKEND_ENTRIES(keys) \
  BN_CLI_PLUGIN_ENTRY (keys), \
  { "backend", 0, 0, G_OPTION_ARG_STRING, &(keys).backend, "who does the work: model, cpu or cuda", "NAME" }, \
  { "speed", 0, 0, G_OPTION_ARG_STRING, &(keys).speed, "let jobs come so much faster; 0.1 is ten times slower", "X" }, \
  { "scale", 0, 0, G_OPTION_ARG_STRING, &(keys).scale, "multiply sizes, memory and runtimes, as 0.001x", "X" }, \
  { "verify", 0, 0, G_OPTION_ARG_NONE, &(keys).verify, "compare every output with a reference after the run", NULL }, \
  { "profile", 0, 0, G_OPTION_ARG_FILENAME, &(keys).profile, "what binnacle calibrate measured", "FILE" }

/* FOLDER/demo.ini makes demo.db here. Returns: (transfer full). */
char *bn_cli_default_output (const char *path);

/* Makes sure that descriptors 0 to 2 are open, so that no file that the program
 * opens is mistaken for them, and that writing into a pipe that nobody reads, or
 * beyond a limit on the size of files, is an error and not a death. Called once,
 * first. */
void bn_cli_init (void);

#endif
