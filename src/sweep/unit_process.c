/* unit_process.c: one unit in a process of its own.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "unit_process.h"

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
#include "interrupt.h"

/* Exit statuses of the child beside those of the program. */
#define EXIT_INTERRUPTED 3

struct BnUnitProcess
{
  char *path;
  FILE *said;        /* no name: gone with the last process that has it open */
  pid_t pid;         /* 0: ended and waited for                              */
  BnUnitState state;
  int signal;        /* that ended it, or 0                                  */
};

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

/* The parent takes these one by one. */
static void
unblock_signals (void)
{
  sigset_t signals;

  bn_interrupt_signals (&signals);
  sigaddset (&signals, SIGCHLD);
  sigprocmask (SIG_UNBLOCK, &signals, NULL);
}

/* The child's whole life. It leaves at once, without what the parent has registered
 * for its own end. */
G_NORETURN static void
live (const BnUnit *unit, const char *todo, const char *path, FILE *said, pid_t parent)
{
  GError *error = NULL;
  gboolean found, interrupted;
  int status;

  end_with (parent);
  unblock_signals ();
  if (dup2 (fileno (said), STDERR_FILENO) < 0 || dup2 (fileno (said), STDOUT_FILENO) < 0)
    _exit (BN_EXIT_BAD_INPUT);
  if (bn_unit_run (unit, todo, path, &found, &interrupted, &error))
    status = interrupted ? EXIT_INTERRUPTED : found ? BN_EXIT_FOUND : BN_EXIT_OK;
  else
    {
      fprintf (stderr, "%s\n", error->message);
      status = BN_EXIT_BAD_INPUT;
    }
  fflush (stderr);
  _exit (status);
}

static BnUnitProcess *
fail_to_start (BnUnitProcess *process, GError **error)
{
  g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_TOOL, "cannot start a process: %s; try a smaller -j",
               g_strerror (errno));
  bn_unit_process_free (process);
  return NULL;
}

BnUnitProcess *
bn_unit_process_start (const BnUnit *unit, const char *todo, const char *path, GError **error)
{
  BnUnitProcess *process = g_new0 (BnUnitProcess, 1);

  process->path = g_strdup (path);
  process->said = tmpfile ();
  if (process->said == NULL)
    return fail_to_start (process, error);
  fflush (NULL);
  pid_t parent = getpid ();
  process->pid = fork ();
  if (process->pid == 0)
    live (unit, todo, path, process->said, parent);
  if (process->pid < 0)
    {
      process->pid = 0;
      return fail_to_start (process, error);
    }
  return process;
}

BnUnitState
bn_unit_process_poll (BnUnitProcess *process)
{
  int status;

  if (process->pid == 0 || waitpid (process->pid, &status, WNOHANG) != process->pid)
    return process->state;
  process->pid = 0;
  process->signal = WIFSIGNALED (status) ? WTERMSIG (status) : 0;
  switch (WIFEXITED (status) ? WEXITSTATUS (status) : -1)
    {
    case BN_EXIT_OK:
      process->state = BN_UNIT_DONE;
      break;
    case BN_EXIT_FOUND:
      process->state = BN_UNIT_DONE_FOUND;
      break;
    case EXIT_INTERRUPTED:
      process->state = BN_UNIT_INTERRUPTED;
      break;
    default:
      process->state = BN_UNIT_FAILED;
    }
  return process->state;
}

const char *
bn_unit_process_path (const BnUnitProcess *process)
{
  return process->path;
}

char **
bn_unit_process_remarks (BnUnitProcess *process)
{
  GPtrArray *lines = g_ptr_array_new ();
  char line[4096];

  rewind (process->said);
  while (fgets (line, sizeof line, process->said) != NULL)
    if (*g_strchomp (line) != '\0')
      g_ptr_array_add (lines, g_utf8_make_valid (line, -1));
  if (process->signal != 0)
    g_ptr_array_add (lines,
                     g_strdup_printf ("ended by signal %d (%s)", process->signal, g_strsignal (process->signal)));
  g_ptr_array_add (lines, NULL);
  return (char **) g_ptr_array_free (lines, FALSE);
}

void
bn_unit_process_signal (const BnUnitProcess *process, int number)
{
  if (process->pid > 0)
    kill (process->pid, number);
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
bn_unit_process_free (BnUnitProcess *process)
{
  if (process == NULL)
    return;
  if (process->pid > 0)
    {
      kill (process->pid, SIGKILL);
      waitpid (process->pid, NULL, 0);
    }
  remove_results (process->path);
  if (process->said != NULL)
    fclose (process->said);
  g_free (process->path);
  g_free (process);
}
