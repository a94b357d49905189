/* exec_answers.c: what the answers of a scheduler in another process mean.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "exec_messages.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include <gio/gio.h>

#include "json_depth.h"

/* Of a line that is wrong, in a message. */
#define QUOTED_BYTES 120

static gboolean
refuse (GError **error, const char *line, const char *format, ...) G_GNUC_PRINTF (3, 4);

static gboolean
refuse (GError **error, const char *line, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_autofree char *what = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  /* the library's own words may quote what was said, escapes resolved */
  g_autofree char *valid_what = g_utf8_make_valid (what, -1);
  g_autofree char *valid_line = g_utf8_make_valid (line, (gssize) MIN (strlen (line), QUOTED_BYTES));
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "%s: %s", g_strdelimit (valid_what, "\r\n", ' '),
               valid_line);
  return FALSE;
}

/* The object that the line is, or NULL with `error` set. */
static JsonObject *
parse (JsonParser *parser, const char *line, GError **error)
{
  g_autoptr (GError) reason = NULL;

  if (bn_json_is_too_deep (line))
    refuse (error, line, "answers with what is nested too deeply");
  else if (!json_parser_load_from_data (parser, line, -1, &reason))
    refuse (error, line, "answers with what is no JSON (%s)", reason->message);
  else if (json_parser_get_root (parser) == NULL || !JSON_NODE_HOLDS_OBJECT (json_parser_get_root (parser)))
    refuse (error, line, "answers with what is no object");
  else
    return json_node_get_object (json_parser_get_root (parser));
  return NULL;
}

/* A member that is an array; NULL where it is missing or something else. */
static JsonArray *
array_of (JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);

  return node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
}

static gboolean
is_integer (JsonNode *node)
{
  return JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_INT64;
}

/* Reads the texts of a member into *flags, by `names` [n] and `values`. */
static gboolean
read_words (JsonObject *object, const char *name, const char *const *names, const uint32_t *values, uint32_t *flags,
            const char *line, GError **error)
{
  JsonArray *words = array_of (object, name);

  if (words == NULL)
    return refuse (error, line, "says hello without the array \"%s\"", name);
  for (guint i = 0; i < json_array_get_length (words); i++)
    {
      JsonNode *node = json_array_get_element (words, i);
      gboolean is_text = JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING;
      const char *word = is_text ? json_node_get_string (node) : "";
      guint k = 0;
      while (names[k] != NULL && strcmp (names[k], word) != 0)
        k++;
      if (names[k] == NULL)
        {
          g_autofree char *known = g_strjoinv (", ", (char **) names);
          return refuse (error, line, "says hello with an unknown word in \"%s\"; there are %s", name, known);
        }
      *flags |= values[k];
    }
  return TRUE;
}

gboolean
bn_exec_read_hello (JsonParser *parser, const char *line, uint32_t *flags, GError **error)
{
  static const char *const hooks[] = { "plan", "place", NULL };
  static const uint32_t unless[] = { BN_SCHED_NEVER_PLANS, BN_SCHED_NEVER_PLACES };
  static const char *const words[] = { "central", "loads", "caches", "adjusts", "adjusts-joins", NULL };
  static const uint32_t bits[] = { BN_SCHED_CENTRAL, BN_SCHED_READS_LOADS, BN_SCHED_READS_CACHES, BN_SCHED_ADJUSTS,
                                   BN_SCHED_ADJUSTS_JOINS };
  static const char *const notices[] = { "job-ended", "task-finished", "worker-down", NULL };
  static const uint32_t notice_bits[] = { BN_SCHED_HEARS_JOBS, BN_SCHED_HEARS_TASKS, BN_SCHED_HEARS_WORKERS };
  JsonObject *object = parse (parser, line, error);
  JsonNode *protocol = object != NULL ? json_object_get_member (object, "protocol") : NULL;
  uint32_t asked = 0;

  *flags = 0;
  if (object == NULL)
    return FALSE;
  if (protocol == NULL || !is_integer (protocol) || json_node_get_int (protocol) != BN_EXEC_PROTOCOL)
    return refuse (error, line, "has to say hello with \"protocol\":%d", BN_EXEC_PROTOCOL);
  if (!read_words (object, "hooks", hooks, unless, &asked, line, error)
      || !read_words (object, "flags", words, bits, flags, line, error)
      || (json_object_has_member (object, "notices")
          && !read_words (object, "notices", notices, notice_bits, flags, line, error)))
    return FALSE;
  *flags |= (BN_SCHED_NEVER_PLANS | BN_SCHED_NEVER_PLACES) & ~asked;
  return asked != 0 || refuse (error, line, "wants neither plan nor place, and so places nothing");
}

/* [task, worker] or [task, worker, priority]. */
static gboolean
read_placement (JsonNode *node, const char *line, const BnExecQuestion *q, BnSchedHost *host, GError **error)
{
  JsonArray *numbers = JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
  guint n = numbers != NULL ? json_array_get_length (numbers) : 0;
  int64_t values[3] = { 0 };

  for (guint i = 0; i < n && i < G_N_ELEMENTS (values); i++)
    if (!is_integer (json_array_get_element (numbers, i)))
      n = 0;
    else
      values[i] = json_node_get_int (json_array_get_element (numbers, i));
  if (n < 2 || n > G_N_ELEMENTS (values) || values[2] < INT32_MIN || values[2] > INT32_MAX)
    return refuse (error, line, "answers with a placement that is not [task, worker] or [task, worker, priority]");
  if (values[0] < 0 || values[0] >= q->job->workflow->n_tasks || (q->task != BN_NONE && values[0] != q->task))
    return refuse (error, line, "places task %" PRId64 ", which was not asked about", values[0]);
  /* a worker that is not there is the run's to refuse */
  host->place (host, (uint32_t) values[0], values[1] < 0 || values[1] > UINT32_MAX ? UINT32_MAX : (uint32_t) values[1],
               (int32_t) values[2]);
  return TRUE;
}

gboolean
bn_exec_read_answer (JsonParser *parser, const char *line, const BnExecQuestion *q, BnSchedHost *host, GError **error)
{
  JsonObject *object = parse (parser, line, error);
  JsonArray *placements = object != NULL ? array_of (object, "place") : NULL;
  gboolean ok = TRUE;

  if (object == NULL)
    return FALSE;
  if (placements == NULL)
    return refuse (error, line, "answers without the array \"place\"");
  for (guint i = 0; i < json_array_get_length (placements) && ok; i++)
    ok = read_placement (json_array_get_element (placements, i), line, q, host, error);
  return ok;
}
