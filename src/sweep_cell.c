/* sweep_cell.c: one cell of a sweep in a process of its own.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "sweep_cell.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/wait.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "cli.h"
#include "experiment.h"
#include "interrupt.h"

/* Exit statuses of the child beside those of the program. */
#define EXIT_INTERRUPTED 3

struct BnSweepCell
{
  guint number;
  char *path;
  FILE *said;        /* no name: gone with the last process that has it open */
  pid_t pid;         /* 0: ended and waited for                              */
  BnCellState state;
  int signal;        /* that ended it, or 0                                  */
};

static int
status_of (const BnExperimentOutcome *outcome)
{
  for (guint i = 0; i < outcome->remarks->len; i++)
    fprintf (stderr, "%s\n", (const char *) outcome->remarks->pdata[i]);
  if (outcome->interrupted)
    return EXIT_INTERRUPTED;
  return outcome->n_unfinished > 0 || outcome->n_violations > 0 ? BN_EXIT_FOUND : BN_EXIT_OK;
}

static int
run_cell (const BnSweep *sweep, guint cell, const char *path, GError **error)
{
  const char *debug = g_getenv ("BN_DEBUG");
  g_autofree char *repeat = bn_sweep_cell_arguments (sweep, cell);
  BnScenario *scenario = bn_sweep_scenario (sweep, cell, error);
  BnResults *results = scenario != NULL ? bn_results_create (path, FALSE, error) : NULL;
  BnExperimentOutcome outcome = { 0 };
  int status = BN_EXIT_BAD_INPUT;

  if (results == NULL)
    return status;
  BnExperimentOptions options = { .debug_check = debug != NULL && strcmp (debug, "check") == 0,
                                  .repeat_arguments = repeat,
                                  .interrupt = bn_interrupt_new (),
                                  .runs_before = (gint64) cell * bn_sweep_n_runs (sweep) };
  gboolean ok = bn_experiment_run (scenario, results, &options, &outcome, error);
  bn_interrupt_free (options.interrupt);
  if (!ok)
    bn_results_abandon (results);
  else if (bn_results_close (results, error))
    status = status_of (&outcome);
  return status;
}

/* Nobody would take in what an orphan writes. */
static void
end_with (pid_t parent)
{
#ifdef __linux__
  prctl (PR_SET_PDEATHSIG, SIGKILL);
#endif
  if (getppid () != parent)
    _exit (BN_EXIT_BAD_INPUT);
}

/* The child's whole life. It leaves at once, without what the parent has registered
 * for its own end. */
G_NORETURN static void
live (const BnSweep *sweep, guint cell, const char *path, FILE *said, pid_t parent)
{
  GError *error = NULL;

  end_with (parent);
  if (dup2 (fileno (said), STDERR_FILENO) < 0 || dup2 (fileno (said), STDOUT_FILENO) < 0)
    _exit (BN_EXIT_BAD_INPUT);
  int status = run_cell (sweep, cell, path, &error);
  if (error != NULL)
    fprintf (stderr, "%s\n", error->message);
  fflush (stderr);
  _exit (status);
}

static BnSweepCell *
fail_to_start (BnSweepCell *cell, GError **error)
{
  g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_TOOL, "cannot start a process: %s; try a smaller -j",
               g_strerror (errno));
  bn_sweep_cell_free (cell);
  return NULL;
}

BnSweepCell *
bn_sweep_cell_start (const BnSweep *sweep, guint number, const char *path, GError **error)
{
  BnSweepCell *cell = g_new0 (BnSweepCell, 1);

  cell->number = number;
  cell->path = g_strdup (path);
  cell->said = tmpfile ();
  if (cell->said == NULL)
    return fail_to_start (cell, error);
  fflush (NULL);
  pid_t parent = getpid ();
  cell->pid = fork ();
  if (cell->pid == 0)
    live (sweep, number, path, cell->said, parent);
  if (cell->pid < 0)
    {
      cell->pid = 0;
      return fail_to_start (cell, error);
    }
  return cell;
}

BnCellState
bn_sweep_cell_poll (BnSweepCell *cell)
{
  int status;

  if (cell->pid == 0 || waitpid (cell->pid, &status, WNOHANG) != cell->pid)
    return cell->state;
  cell->pid = 0;
  cell->signal = WIFSIGNALED (status) ? WTERMSIG (status) : 0;
  switch (WIFEXITED (status) ? WEXITSTATUS (status) : -1)
    {
    case BN_EXIT_OK:
      cell->state = BN_CELL_DONE;
      break;
    case BN_EXIT_FOUND:
      cell->state = BN_CELL_DONE_FOUND;
      break;
    case EXIT_INTERRUPTED:
      cell->state = BN_CELL_INTERRUPTED;
      break;
    default:
      cell->state = BN_CELL_FAILED;
    }
  return cell->state;
}

guint
bn_sweep_cell_number (const BnSweepCell *cell)
{
  return cell->number;
}

const char *
bn_sweep_cell_path (const BnSweepCell *cell)
{
  return cell->path;
}

char **
bn_sweep_cell_remarks (BnSweepCell *cell)
{
  GPtrArray *lines = g_ptr_array_new ();
  char line[4096];

  rewind (cell->said);
  while (fgets (line, sizeof line, cell->said) != NULL)
    if (*g_strchomp (line) != '\0')
      g_ptr_array_add (lines, g_utf8_make_valid (line, -1));
  if (cell->signal != 0)
    g_ptr_array_add (lines, g_strdup_printf ("ended by signal %d (%s)", cell->signal, g_strsignal (cell->signal)));
  g_ptr_array_add (lines, NULL);
  return (char **) g_ptr_array_free (lines, FALSE);
}

void
bn_sweep_cell_signal (const BnSweepCell *cell, int number)
{
  if (cell->pid > 0)
    kill (cell->pid, number);
}

/* What SQLite may have left beside a file whose process was ended. */
static void
remove_results (const char *path)
{
  static const char *const endings[] = { "", "-wal", "-shm", "-journal" };

  for (guint i = 0; i < G_N_ELEMENTS (endings); i++)
    {
      g_autofree char *name = g_strconcat (path, endings[i], NULL);
      g_unlink (name);
    }
}

void
bn_sweep_cell_free (BnSweepCell *cell)
{
  if (cell == NULL)
    return;
  if (cell->pid > 0)
    {
      kill (cell->pid, SIGKILL);
      waitpid (cell->pid, NULL, 0);
    }
  remove_results (cell->path);
  if (cell->said != NULL)
    fclose (cell->said);
  g_free (cell->path);
  g_free (cell);
}
