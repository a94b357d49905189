/* child.h: a program of somebody else that is talked to in lines.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * It hears on its standard input and answers on its standard output, a line each. What it says on
 * standard error is kept, the last of it, for messages. It is in a process group of its own, so that
 * Ctrl-C is this program's business, and ends with this program whatever happens.
 */
#ifndef BN_CHILD_H
#define BN_CHILD_H

#include <glib.h>

#include "bn.h"

/* The longest line that is listened to. */
#define BN_CHILD_MAX_LINE (1u << 20)

typedef struct BnChild BnChild;

/* Starts argv[0], looked for on the path unless it has a slash. `name` is for messages. NULL with
 * `error` set. Returns: (transfer full). */
BnChild *bn_child_new (const char *name, const char *const *argv, GError **error);

/* Closes its standard input, waits for its end for a second, and then ends it, and whatever it has started itself that is
 * left of its process group. */
void bn_child_free (BnChild *child);

/* Tells it so many bytes, which are whole lines. FALSE with `error` set: it has ended, it has said something
 * unasked, or it does not listen within the time. */
gboolean bn_child_tell (BnChild *child, const char *bytes, gsize n, BnDuration timeout_ns, GError **error);

/* Waits for a line. Returns: (transfer none), without its end, until the child is heard again; NULL with `error` set: it
 * has ended (and how, and what it said last), it says nothing within the time, or its line is too long. */
const char *bn_child_hear (BnChild *child, BnDuration timeout_ns, GError **error);

/* Sets `error` to what is wrong with the child, with what it said last on standard error. Returns FALSE. */
gboolean bn_child_fail (BnChild *child, GError **error, const char *format, ...) G_GNUC_PRINTF (3, 4);

#endif
