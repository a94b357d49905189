/* flow_dax.c: Pegasus DAX, 2.0 to 3.4.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * What is not named here (executables, arguments, metadata, counts) is passed over.
 */
#include "flow_formats.h"

#include <string.h>

#include "units.h"

typedef struct Reader
{
  BnFlow *flow;
  const char *path;
  gboolean any;          /* an element has come */
  guint job;             /* <uses> belongs to it; G_MAXUINT: none    */
  guint child;           /* <parent> is its; G_MAXUINT: none         */
} Reader;

static BnPlace
place_of (GMarkupParseContext *context, const Reader *r)
{
  gint line;

  g_markup_parse_context_get_position (context, &line, NULL);
  return (BnPlace) { r->path, (uint32_t) line };
}

static const char *
attribute (const char **names, const char **values, const char *name)
{
  for (guint i = 0; names[i] != NULL; i++)
    if (strcmp (names[i], name) == 0)
      return values[i];
  return NULL;
}

/* The part behind a namespace. */
static const char *
local_name (const char *name)
{
  const char *colon = strrchr (name, ':');

  return colon != NULL ? colon + 1 : name;
}

static void
begin_job (Reader *r, BnPlace place, const char **names, const char **values, GError **error)
{
  const char *id = attribute (names, values, "id"), *name = attribute (names, values, "name");
  const char *runtime = attribute (names, values, "runtime");
  BnDuration runtime_ns = -1;

  if (id == NULL)
    bn_input_fail (error, BN_INPUT_ERROR_CONTENT, place, "a <job> without an id");
  else if (runtime != NULL && !bn_parse_scaled (runtime, BN_NS_PER_S, &runtime_ns, error))
    bn_input_prefix (error, place, "runtime");
  else
    r->job = bn_flow_add_task (r->flow, id, name != NULL ? name : id, runtime_ns, place, error);
}

static void
use_file (Reader *r, BnPlace place, const char **names, const char **values, GError **error)
{
  const char *file = attribute (names, values, "file"), *link = attribute (names, values, "link");
  const char *size = attribute (names, values, "size");
  int64_t bytes = -1;

  if (file == NULL)
    file = attribute (names, values, "name");
  if (file == NULL || link == NULL)
    bn_input_fail (error, BN_INPUT_ERROR_CONTENT, place, "a <uses> without a file's name or without link");
  else if (size != NULL && !bn_parse_scaled (size, 1, &bytes, error))
    bn_input_prefix (error, place, "size");
  else if (strcmp (link, "input") == 0 || strcmp (link, "output") == 0 || strcmp (link, "inout") == 0)
    {
      /* what is changed in place is needed from whoever made it, and made for those who come later */
      if (strcmp (link, "output") != 0)
        bn_flow_use (r->flow, r->job, file, bytes, FALSE);
      if (strcmp (link, "input") != 0)
        bn_flow_use (r->flow, r->job, file, bytes, TRUE);
    }
  else if (strcmp (link, "none") != 0)
    bn_input_fail (error, BN_INPUT_ERROR_CONTENT, place, "link=\"%s\": there are input, output, inout and none", link);
}

/* The task of a <child> or <parent>; G_MAXUINT with `error` set. */
static guint
task_of_ref (Reader *r, BnPlace place, const char *element, const char **names, const char **values, GError **error)
{
  const char *ref = attribute (names, values, "ref");
  guint task = ref != NULL ? bn_flow_find (r->flow, ref) : G_MAXUINT;

  if (ref == NULL)
    bn_input_fail (error, BN_INPUT_ERROR_CONTENT, place, "a <%s> without ref", element);
  else if (task == G_MAXUINT)
    bn_input_fail (error, BN_INPUT_ERROR_CONTENT, place, "<%s ref=\"%s\">: there is no job of that id before it",
                   element, ref);
  return task;
}

static void
start_element (GMarkupParseContext *context, const char *name, const char **names, const char **values, gpointer data,
               GError **error)
{
  Reader *r = data;
  BnPlace place = place_of (context, r);
  const char *element = local_name (name);

  if (!r->any && strcmp (element, "adag") != 0)
    {
      bn_input_fail (error, BN_INPUT_ERROR_SYNTAX, place, "<%s>: a DAX begins with <adag>", name);
      return;
    }
  r->any = TRUE;
  if (strcmp (element, "adag") == 0 && attribute (names, values, "name") != NULL)
    bn_flow_set_name (r->flow, attribute (names, values, "name"));
  else if (strcmp (element, "job") == 0 || strcmp (element, "dax") == 0 || strcmp (element, "dag") == 0)
    begin_job (r, place, names, values, error);
  else if (strcmp (element, "uses") == 0 && r->job != G_MAXUINT)
    use_file (r, place, names, values, error);
  else if (strcmp (element, "child") == 0)
    r->child = task_of_ref (r, place, element, names, values, error);
  else if (strcmp (element, "parent") == 0 && r->child != G_MAXUINT)
    {
      guint parent = task_of_ref (r, place, element, names, values, error);
      if (parent != G_MAXUINT)
        bn_flow_edge (r->flow, parent, r->child);
    }
}

static void
end_element (GMarkupParseContext *context, const char *name, gpointer data, GError **error)
{
  Reader *r = data;
  const char *element = local_name (name);

  (void) context;
  (void) error;
  if (strcmp (element, "job") == 0 || strcmp (element, "dax") == 0 || strcmp (element, "dag") == 0)
    r->job = G_MAXUINT;
  else if (strcmp (element, "child") == 0)
    r->child = G_MAXUINT;
}

static gboolean
detect (const char *text)
{
  const char *adag = strstr (text, "adag");

  return *(text + strspn (text, " \t\r\n")) == '<' && adag != NULL;
}

static gboolean
read_dax (BnFlow *flow, const char *text, gsize length, const char *path, GError **error)
{
  static const GMarkupParser parser = { start_element, end_element, NULL, NULL, NULL };
  Reader r = { flow, path, FALSE, G_MAXUINT, G_MAXUINT };
  GError *reason = NULL;
  GMarkupParseContext *context = g_markup_parse_context_new (&parser, G_MARKUP_TREAT_CDATA_AS_TEXT, &r, NULL);
  gboolean ok = g_markup_parse_context_parse (context, text, (gssize) length, &reason)
                && g_markup_parse_context_end_parse (context, &reason);

  if (!ok && reason->domain == G_MARKUP_ERROR)
    {
      bn_input_fail (error, BN_INPUT_ERROR_SYNTAX, place_of (context, &r), "is no whole XML: %s", reason->message);
      g_clear_error (&reason);
    }
  else if (!ok)
    g_propagate_error (error, g_steal_pointer (&reason));
  g_markup_parse_context_free (context);
  return ok;
}

const BnFlowFormat bn_flow_dax = { "dax", "Pegasus DAX 2.0 to 3.4 (XML)", detect, read_dax };
