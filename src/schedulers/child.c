/* child.c: a program of somebody else that is talked to in lines.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "child.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include <gio/gio.h>
#include <glib-unix.h>

/* Of what it said on standard error. */
#define KEPT_BYTES 400
#define FAREWELL_NS BN_NS_PER_S
#define READ_BYTES 65536
#define MAX_READS 16

struct BnChild
{
  char *name;
  GPid pid;            /* 0: waited for                        */
  int status;          /* valid then                           */
  int in, out, err;    /* its descriptors; -1: closed          */
  GString *heard;      /* of its output                        */
  gboolean told;       /* something                            */
  gsize taken;         /* of heard: the line handed out last   */
  GString *complaint;  /* the end of its standard error        */
};

/* ---- starting ---- */

/* In the child, before its program. */
static void
set_up (gpointer data)
{
  sigset_t none;

  (void) data;
  setpgid (0, 0);
  signal (SIGPIPE, SIG_DFL);
  sigemptyset (&none);
  sigprocmask (SIG_SETMASK, &none, NULL);
#ifdef __linux__
  prctl (PR_SET_PDEATHSIG, SIGKILL);
#endif
}

BnChild *
bn_child_new (const char *name, const char *const *argv, GError **error)
{
  g_autoptr (GError) reason = NULL;
  BnChild *child = g_new0 (BnChild, 1);

  child->name = g_strdup (name);
  child->heard = g_string_new (NULL);
  child->complaint = g_string_new (NULL);
  if (!g_spawn_async_with_pipes (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD, set_up, NULL,
                                 &child->pid, &child->in, &child->out, &child->err, &reason))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "%s: cannot be started: %s%s", name, reason->message,
                   strchr (argv[0], '/') == NULL ? "; a file of a folder is named with a slash, as ./mine.py" : "");
      child->in = child->out = child->err = -1;
      bn_child_free (child);
      return NULL;
    }
  for (guint i = 0; i < 3; i++)
    g_unix_set_fd_nonblocking ((int[]) { child->in, child->out, child->err }[i], TRUE, NULL);
  return child;
}

/* ---- ending ---- */

static void
close_fd (int *fd)
{
  if (*fd >= 0)
    close (*fd);
  *fd = -1;
}

/* Ends what it has started itself and is left of it, and lets go of it: until then its group's number is nobody
 * else's. */
static void
reap (BnChild *child)
{
  kill (-child->pid, SIGKILL);
  while (waitpid (child->pid, &child->status, 0) < 0 && errno == EINTR)
    ;
  child->pid = 0;
}

/* Whether it has ended, now or within the time. */
static gboolean
has_ended (BnChild *child, BnDuration timeout_ns)
{
  gint64 until_us = g_get_monotonic_time () + timeout_ns / 1000;

  while (child->pid != 0)
    {
      siginfo_t ended = { .si_pid = 0 };
      if (waitid (P_PID, (id_t) child->pid, &ended, WEXITED | WNOHANG | WNOWAIT) != 0 || ended.si_pid != 0)
        reap (child);
      else if (g_get_monotonic_time () >= until_us)
        return FALSE;
      else
        g_usleep (1000);
    }
  return TRUE;
}

void
bn_child_free (BnChild *child)
{
  if (child == NULL)
    return;
  close_fd (&child->in);
  if (!has_ended (child, FAREWELL_NS))
    reap (child);
  close_fd (&child->out);
  close_fd (&child->err);
  g_string_free (child->heard, TRUE);
  g_string_free (child->complaint, TRUE);
  g_free (child->name);
  g_free (child);
}

/* ---- talking ---- */

/* Takes what there is to read, but no more than a MiB: who writes without end is not read without end. FALSE at the
 * end. */
static gboolean
drain (int fd, GString *into)
{
  char bytes[READ_BYTES];
  gssize n = 1;

  for (int i = 0; i < MAX_READS && (n = read (fd, bytes, sizeof bytes)) > 0; i++)
    g_string_append_len (into, bytes, n);
  return n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR));
}

static void
drain_complaint (BnChild *child)
{
  if (child->err >= 0 && !drain (child->err, child->complaint))
    close_fd (&child->err);
  if (child->complaint->len > KEPT_BYTES)
    g_string_erase (child->complaint, 0, (gssize) (child->complaint->len - KEPT_BYTES));
}

/* The last line that it said on standard error, or NULL. Returns: (transfer full). */
static char *
last_complaint (BnChild *child)
{
  drain_complaint (child);
  g_autofree char *text = g_utf8_make_valid (child->complaint->str, (gssize) child->complaint->len);
  g_strchomp (text);
  const char *line = strrchr (text, '\n');
  return *text != '\0' ? g_strdup (line != NULL ? line + 1 : text) : NULL;
}

gboolean
bn_child_fail (BnChild *child, GError **error, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_autofree char *what = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  /* it may quote what was said, cut anywhere */
  g_autofree char *line = g_strdelimit (g_utf8_make_valid (what, -1), "\r\n", ' ');
  g_autofree char *said = last_complaint (child);
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "%s: %s%s%s", child->name, line, said != NULL ? "; it said: " : "",
               said != NULL ? said : "");
  return FALSE;
}

/* One of its ends is closed: as a rule because it has ended. */
static gboolean
fail_ended (BnChild *child, GError **error)
{
  if (!has_ended (child, FAREWELL_NS))
    return bn_child_fail (child, error, child->out < 0 ? "has closed its standard output; it has to answer there"
                                                       : "has closed its standard input; it is asked there");
  if (WIFSIGNALED (child->status))
    return bn_child_fail (child, error, "was ended by signal %d (%s)", WTERMSIG (child->status),
                          g_strsignal (WTERMSIG (child->status)));
  return bn_child_fail (child, error, "has ended with status %d", WEXITSTATUS (child->status));
}

/* Waits until it listens (`listens`) or has said something. */
static gboolean
wait_for (BnChild *child, gboolean listens, gint64 until_us, GError **error)
{
  struct pollfd fds[] = { { child->out, POLLIN, 0 }, { child->err, POLLIN, 0 }, { listens ? child->in : -1, POLLOUT, 0 } };
  gint64 left_us = until_us - g_get_monotonic_time ();

  if (child->out < 0)
    return fail_ended (child, error);
  int n = poll (fds, G_N_ELEMENTS (fds), left_us <= 0 ? 0 : (int) MIN ((left_us + 999) / 1000, G_MAXINT));

  if (n == 0 && left_us <= 0)
    return bn_child_fail (child, error, listens ? "does not listen within its timeout"
                                                : "does not answer within its timeout");
  if (fds[1].revents != 0)
    drain_complaint (child);
  if (fds[0].revents != 0 && !drain (child->out, child->heard))
    {
      close_fd (&child->out);
      /* a last line without an end is none */
      return memchr (child->heard->str, '\n', child->heard->len) != NULL || fail_ended (child, error);
    }
  return TRUE;
}

/* Lets go of the line that was handed out. */
static void
forget_line (BnChild *child)
{
  g_string_erase (child->heard, 0, (gssize) child->taken);
  child->taken = 0;
}

gboolean
bn_child_tell (BnChild *child, const char *bytes, gsize n, BnDuration timeout_ns, GError **error)
{
  gint64 until_us = g_get_monotonic_time () + timeout_ns / 1000;

  forget_line (child);
  /* a line too many would be taken for the next answer; one before the first message is read as its answer, so that
     what is said of it does not depend on how soon it came */
  if (child->told && child->out >= 0 && child->heard->len == 0 && !drain (child->out, child->heard))
    close_fd (&child->out);
  child->told = TRUE;
  for (gsize done = 0; done < n;)
    {
      if (child->heard->len > 0)
        return bn_child_fail (child, error, "says more than it was asked: %.60s", child->heard->str);
      gssize written = write (child->in, bytes + done, n - done);
      if (written > 0)
        done += (gsize) written;
      else if (errno == EPIPE)
        return fail_ended (child, error);
      else if (!wait_for (child, TRUE, until_us, error))
        return FALSE;
    }
  return TRUE;
}

const char *
bn_child_hear (BnChild *child, BnDuration timeout_ns, GError **error)
{
  gint64 until_us = g_get_monotonic_time () + timeout_ns / 1000;
  char *end;

  forget_line (child);
  while ((end = memchr (child->heard->str, '\n', child->heard->len)) == NULL && child->heard->len <= BN_CHILD_MAX_LINE)
    if (!wait_for (child, FALSE, until_us, error))
      return NULL;
  gsize length = end != NULL ? (gsize) (end - child->heard->str) : child->heard->len;
  if (length > BN_CHILD_MAX_LINE)
    {
      bn_child_fail (child, error, "says a line of more than %u bytes: %.60s", BN_CHILD_MAX_LINE, child->heard->str);
      return NULL;
    }
  child->heard->str[length] = '\0';
  child->taken = length + 1;
  return child->heard->str;
}
