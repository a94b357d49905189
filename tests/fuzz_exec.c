/* fuzz_exec.c: any line at all, given as what a scheduler in another process answers.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * The first byte says to what it is an answer: hello, a plan, or about one task. Whatever is said, only tasks that
 * were asked about are placed, and an error is one line of UTF-8. For libFuzzer, and for fuzz_replay.c. The corpus
 * begins with blanks that mean the right thing as a first byte and nothing in JSON: tab, hello; return, a plan; space.
 */
#include <string.h>

#include "exec_messages.h"
#include "fuzz.h"

#define N_TASKS 5
#define ALL_FLAGS                                                                                                   \
  (BN_SCHED_CENTRAL | BN_SCHED_READS_LOADS | BN_SCHED_READS_CACHES | BN_SCHED_ADJUSTS | BN_SCHED_ADJUSTS_JOINS        \
   | BN_SCHED_HEARS)

enum
{
  TO_HELLO,
  TO_PLAN,
  TO_PLACE,
  N_MODES
};

const char **
bn_fuzz_readers (void)
{
  static const char *const names[N_MODES + 1] = { "hello", "plan", "place", NULL };

  return g_memdup2 (names, sizeof names);
}

guint
bn_fuzz_n_modes (void)
{
  return N_MODES;
}

/* The task that was asked about, or BN_NONE: all. */
typedef struct Host
{
  BnSchedHost host;
  int32_t task;
} Host;

static void
take_placement (BnSchedHost *self, uint32_t task, uint32_t worker, int32_t priority)
{
  const Host *host = (const Host *) (void *) self;

  (void) worker; /* any number may be named: the run refuses what is not there */
  (void) priority;
  bn_fuzz_check (task < N_TASKS && (host->task == BN_NONE || task == (uint32_t) host->task));
}

static gboolean
read_hello (JsonParser *parser, const char *line, GError **error)
{
  uint32_t flags;
  const uint32_t never = BN_SCHED_NEVER_PLANS | BN_SCHED_NEVER_PLACES;
  gboolean ok = bn_exec_read_hello (parser, line, &flags, error);

  bn_fuzz_check (!ok || ((flags & never) != never && (flags & ~(ALL_FLAGS | never)) == 0));
  return ok;
}

static gboolean
read_answer (JsonParser *parser, const char *line, int32_t task, GError **error)
{
  BnWorkflow workflow = { .n_tasks = N_TASKS };
  BnJob job = { .workflow = &workflow };
  BnExecQuestion question = { .job = &job, .task = task, .at_worker = 0, .observer = 0 };
  Host host = { { .struct_size = sizeof host.host, .place = take_placement }, task };

  return bn_exec_read_answer (parser, line, &question, &host.host, error);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (JsonParser) parser = json_parser_new_immutable ();
  GError *error = NULL;

  if (size == 0)
    return 0;
  /* a line, as the child's would be cut */
  g_autofree char *line = g_strndup ((const char *) data + 1, size - 1);
  line[strcspn (line, "\n")] = '\0';
  guint mode = bn_fuzz_only () != G_MAXUINT ? bn_fuzz_only () : data[0] % N_MODES;
  gboolean ok = mode == TO_HELLO ? read_hello (parser, line, &error)
                                 : read_answer (parser, line, mode == TO_PLAN ? BN_NONE : 2, &error);
  bn_fuzz_check_error (!ok, &error);
  return 0;
}
