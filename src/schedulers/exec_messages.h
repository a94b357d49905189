/* exec_messages.h: what is said to a scheduler in another process, and what its answers mean.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * doc/exec-protocol.md is the manual. Messages are built by hand, for there may be 20,000 a second, and answers
 * are read by a library, for anybody may have written them.
 */
#ifndef BN_EXEC_MESSAGES_H
#define BN_EXEC_MESSAGES_H

#include <glib.h>
#include <json-glib/json-glib.h>

#include "scheduler.h"

#define BN_EXEC_PROTOCOL 1

/* Each appends one line, its end included. `settings` as in BnSchedSetup.own_settings. */
void bn_exec_say_hello (GString *out, uint64_t seed, const char *const *settings);
void bn_exec_say_cluster (GString *out, const BnSchedSetup *setup);

/* What the child knows of rows: as this view had them when it was last told. */
typedef struct BnExecMirror
{
  uint32_t n_workers, n_models, holder_words;
  BnDuration *queued_ns;   /* [n_workers] */
  BnTime *busy_until_ns;   /* [n_workers] */
  uint64_t *holders;       /* [n_models * holder_words] */
  uint8_t *changed;        /* [n_workers] scratch: its cache is another */
} BnExecMirror;

void bn_exec_mirror_init (BnExecMirror *mirror, const BnSchedSetup *setup);
void bn_exec_mirror_clear (BnExecMirror *mirror);

/* One question: `task` is BN_NONE where a job is planned. `flags` are the scheduler's BN_SCHED_*: of what it does not
 * read it is not told. */
typedef struct BnExecQuestion
{
  const BnJob *job;
  int32_t task, at_worker, observer;
  BnTime now;
  const BnView *view;
} BnExecQuestion;
void bn_exec_ask (GString *out, const BnExecQuestion *question, uint32_t flags, BnExecMirror *mirror);

void bn_exec_say_notice (GString *out, const BnNotice *notice);

/* Reads the answer to hello: BN_SCHED_* in *flags, with those of the notices that it wants and of the hooks that it
 * does not. FALSE with `error` set, a clause about the child. */
gboolean bn_exec_read_hello (JsonParser *parser, const char *line, uint32_t *flags, GError **error);

/* Reads the answer to a question and tells the host. FALSE with `error` set in the same way. */
gboolean bn_exec_read_answer (JsonParser *parser, const char *line, const BnExecQuestion *question, BnSchedHost *host,
                              GError **error);

#endif
