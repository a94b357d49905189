/* exec_scheduler.c: a scheduler in any language, as a child process.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "exec_scheduler.h"

#include <string.h>

#include <gio/gio.h>

#include "child.h"
#include "exec_messages.h"
#include "input_error.h"

enum
{
  PARAM_TIMEOUT
};

/* Notices are kept until the next question, but not more of them than this. */
#define KEPT_BYTES (1u << 16)

static const BnParamSpec params[] = {
  { "timeout", "how long it may take to answer, on the clock of the wall", BN_PARAM_DURATION, 1e6, 3.6e12, 1e10, NULL },
};

/* What the table knows: BnScheduler.own. */
typedef struct Command
{
  char *name;    /* exec:COMMAND */
  char **argv;
} Command;

/* The state of a run. */
typedef struct Exec
{
  BnChild *child;        /* NULL after a failure */
  JsonParser *parser;
  GString *out;          /* to be told: notices, then a question */
  BnExecMirror mirror;
  BnDuration timeout_ns;
  uint32_t flags;        /* BN_SCHED_*, as it answered hello */
  GError *failure;       /* to be told at the first question */
} Exec;

/* Tells what is in `out`. */
static gboolean
tell (Exec *e, BnDuration timeout_ns, GError **error)
{
  gboolean told = bn_child_tell (e->child, e->out->str, e->out->len, timeout_ns, error);

  g_string_truncate (e->out, 0);
  return told;
}

/* The same, and hears the answer; NULL with `error` set. */
static const char *
ask (Exec *e, GError **error)
{
  return tell (e, e->timeout_ns, error) ? bn_child_hear (e->child, e->timeout_ns, error) : NULL;
}

/* A message that names the child and what it said before it. */
static void
complain (const Exec *e, GError *reason, GError **error)
{
  bn_child_fail (e->child, error, "%s", reason->message);
  g_error_free (reason);
}

static gboolean
greet (Exec *e, const Command *command, const BnSchedSetup *setup, GError **error)
{
  BnRng rng = setup->rng;
  GError *reason = NULL;

  e->child = bn_child_new (command->name, (const char *const *) command->argv, error);
  if (e->child == NULL)
    return FALSE;
  bn_exec_say_hello (e->out, bn_rng_next (&rng), setup->own_settings);
  const char *line = ask (e, error);
  if (line == NULL)
    return FALSE;
  if (!bn_exec_read_hello (e->parser, line, &e->flags, &reason))
    {
      complain (e, reason, error);
      return FALSE;
    }
  bn_exec_say_cluster (e->out, setup);
  return tell (e, e->timeout_ns, error);
}

static uint32_t
exec_init (void *state, const BnSchedSetup *setup)
{
  Exec *e = state;

  e->parser = json_parser_new_immutable ();
  e->out = g_string_new (NULL);
  e->timeout_ns = setup->params[PARAM_TIMEOUT].integer;
  bn_exec_mirror_init (&e->mirror, setup);
  if (!greet (e, setup->scheduler->own, setup, &e->failure))
    e->flags &= ~(uint32_t) BN_SCHED_NEVER_PLANS; /* the first question tells of it */
  return e->flags;
}

static void
exec_fini (void *state)
{
  Exec *e = state;

  /* the last notices; whether it still listens is its own affair */
  if (e->failure == NULL && e->out->len > 0)
    tell (e, MIN (e->timeout_ns, BN_NS_PER_S), NULL);
  bn_child_free (e->child);
  g_object_unref (e->parser);
  g_string_free (e->out, TRUE);
  bn_exec_mirror_clear (&e->mirror);
  g_clear_error (&e->failure);
}

/* After a failure nothing more is asked: the run ends with the event under way. */
static void
put (Exec *e, const BnExecQuestion *question, BnSchedHost *host)
{
  GError *reason = NULL;

  if (e->failure == NULL)
    {
      bn_exec_ask (e->out, question, e->flags, &e->mirror);
      const char *line = ask (e, &e->failure);
      if (line != NULL && !bn_exec_read_answer (e->parser, line, question, host, &reason))
        complain (e, reason, &e->failure);
    }
  if (e->failure != NULL)
    host->fail (host, e->failure->message);
}

static void
exec_plan (void *state, const BnPlanCall *call)
{
  Exec *e = state;

  put (e, &(BnExecQuestion) { call->job, BN_NONE, BN_NONE, call->observer, call->now, call->view }, call->host);
}

static void
exec_place (void *state, const BnPlaceCall *call)
{
  Exec *e = state;

  put (e, &(BnExecQuestion) { call->job, (int32_t) call->tasks[0], call->at_worker, call->observer, call->now, call->view },
       call->host);
}

static void
exec_notice (void *state, const BnNotice *notice)
{
  Exec *e = state;

  if (e->failure != NULL)
    return;
  bn_exec_say_notice (e->out, notice);
  if (e->out->len >= KEPT_BYTES)
    tell (e, e->timeout_ns, &e->failure);
}

BnScheduler *
bn_exec_scheduler_new (const char *name, char *(*path_of) (const char *path, gpointer data), gpointer data, GError **error)
{
  g_autoptr (GError) reason = NULL;
  g_auto (GStrv) argv = NULL;

  if (!g_shell_parse_argv (name + strlen (BN_EXEC_PREFIX), NULL, &argv, &reason))
    {
      bn_input_fail (error, BN_INPUT_ERROR_CONTENT, (BnPlace) { 0 }, "'%s' is no command: %s; write exec:./mine.py, say",
                     name, reason->message);
      return NULL;
    }
  if (strchr (argv[0], '/') != NULL)
    {
      char *path = path_of (argv[0], data);
      g_free (argv[0]);
      argv[0] = path;
    }
  Command *command = g_new0 (Command, 1);
  command->name = g_strdup (name);
  command->argv = g_steal_pointer (&argv);
  BnScheduler *scheduler = g_new (BnScheduler, 1);
  *scheduler = (BnScheduler) { .struct_size = sizeof (BnScheduler),
                               .name = command->name,
                               .summary = "a program of yours",
                               .params = params,
                               .n_params = G_N_ELEMENTS (params),
                               .state_bytes = sizeof (Exec),
                               .init = exec_init,
                               .fini = exec_fini,
                               .plan = exec_plan,
                               .place = exec_place,
                               .own = command,
                               .notice = exec_notice };
  return scheduler;
}

void
bn_exec_scheduler_free (BnScheduler *scheduler)
{
  Command *command = (Command *) scheduler->own;

  g_strfreev (command->argv);
  g_free (command->name);
  g_free (command);
  g_free (scheduler);
}

gboolean
bn_is_exec_scheduler (const BnScheduler *scheduler)
{
  return scheduler->init == exec_init;
}
