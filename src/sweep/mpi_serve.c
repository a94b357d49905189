/* mpi_serve.c: a rank that runs units for rank 0.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Results are written on this machine and sent as bytes, so that nothing but what is read
 * (scenario, catalogue, trace, program) need be on every machine.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "cli.h"
#include "interrupt.h"
#include "mpi_ranks_private.h"
#include "unit_process.h"

/* Of one message with results: small beside what a rank has, large beside what it costs to send one. */
#define PART_BYTES (8u << 20)

/* MPI would wait by looking all the time; one of a machine's processors has better things to do. */
#define LOOK_NS (1000 * 1000)

/* What a shell reports for a program that a signal ended. */
#define EXIT_BY_SIGNAL 128

typedef struct Server
{
  BnRanks *ranks;
  char *folder;
  char *path;               /* of the results under way  */
  BnUnitProcess *process;   /* or NULL: idle             */
  gboolean ended;
} Server;

static void
say_state (Server *server, BnUnitState state)
{
  guint8 byte = (guint8) state;

  bn_ranks_say (server->ranks, 0, BN_SAY_STATE, &byte, 1);
}

static void
say_remark (Server *server, const char *text)
{
  bn_ranks_say (server->ranks, 0, BN_SAY_REMARK, text, strlen (text));
}

/* Returns: 0 or an errno. */
static int
send_results (Server *server)
{
  int fd = g_open (server->path, O_RDONLY | O_CLOEXEC, 0), code = 0;
  g_autofree guint8 *bytes = g_malloc (PART_BYTES);
  gssize n = 1;

  if (fd < 0)
    return errno;
  while (n > 0 && code == 0)
    {
      n = read (fd, bytes, PART_BYTES);
      if (n > 0)
        bn_ranks_say (server->ranks, 0, BN_SAY_RESULTS, bytes, (gsize) n);
      else if (n < 0)
        code = errno;
    }
  close (fd);
  return code;
}

static void
report (Server *server, BnUnitState state)
{
  g_auto (GStrv) remarks = bn_unit_process_remarks (server->process);
  int code = state == BN_UNIT_DONE || state == BN_UNIT_DONE_FOUND ? send_results (server) : 0;

  for (char **remark = remarks; *remark != NULL; remark++)
    say_remark (server, *remark);
  if (code != 0)
    say_remark (server, g_strerror (code));
  say_state (server, code != 0 ? BN_UNIT_FAILED : state);
  g_clear_pointer (&server->process, bn_unit_process_free);
}

static void
start (Server *server, const guint8 *bytes, gsize n)
{
  g_autoptr (GBytes) text = g_bytes_new (bytes, n);
  g_autofree char *todo = NULL;
  g_autoptr (GError) error = NULL;
  BnUnit *unit = bn_unit_from_bytes (text, &todo);

  if (unit != NULL)
    server->process = bn_unit_process_start (unit, todo, server->path, &error);
  if (server->process == NULL)
    {
      say_remark (server, error != NULL ? error->message : "the unit came garbled");
      say_state (server, BN_UNIT_FAILED);
    }
  bn_unit_free (unit);
}

static void
hear (Server *server)
{
  guint from;
  g_autoptr (GByteArray) message = server->ranks->module->receive (&from);

  if (message == NULL || message->len == 0)
    return;
  switch ((BnSay) message->data[0])
    {
    case BN_SAY_RUN:
      start (server, message->data + 1, message->len - 1);
      break;
    case BN_SAY_SIGNAL:
      if (server->process != NULL && message->len > 1)
        bn_unit_process_signal (server->process, message->data[1]);
      break;
    case BN_SAY_END:
      server->ended = TRUE;
      break;
    case BN_SAY_RESULTS:
    case BN_SAY_REMARK:
    case BN_SAY_STATE:
      break;
    }
}

static void
clean_up (Server *server)
{
  bn_unit_process_free (server->process);
  if (server->folder != NULL)
    g_rmdir (server->folder);
  g_free (server->path);
  g_free (server->folder);
}

/* mpirun ends its processes so; without a word to the others, who are ended, too. */
G_NORETURN static void
give_up (Server *server, int number)
{
  clean_up (server);
  _exit (EXIT_BY_SIGNAL + number);
}

int
bn_ranks_serve (BnRanks *ranks)
{
  const struct timespec look = { 0, LOOK_NS };
  sigset_t signals;
  Server server = { .ranks = ranks, .folder = g_dir_make_tmp ("binnacle-XXXXXX", NULL) };

  server.path = g_build_filename (server.folder != NULL ? server.folder : g_get_tmp_dir (), "unit.db", NULL);
  bn_interrupt_signals (&signals);
  sigprocmask (SIG_BLOCK, &signals, NULL);
  while (!server.ended)
    {
      BnUnitState state = server.process != NULL ? bn_unit_process_poll (server.process) : BN_UNIT_RUNNING;

      if (state != BN_UNIT_RUNNING)
        report (&server, state);
      hear (&server);
      int number = server.ended ? -1 : sigtimedwait (&signals, NULL, &look);
      if (number > 0)
        give_up (&server, number);
    }
  clean_up (&server);
  bn_ranks_end (ranks, FALSE);
  return BN_EXIT_OK;
}
