/* flow_dot.c: Graphviz's language, what DAGs need of it.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * digraph NAME { a [label="x", runtime=2.5, size=1000]; a -> b -> c; }: a node is a task, runtime is in seconds and
 * size the bytes that it hands on. Statements about graph, node and edge, and all other attributes, are passed over;
 * the nodes of a subgraph are nodes. Ports and HTML are refused.
 */
#include "flow_formats.h"

#include <string.h>

#include "units.h"

typedef struct Reader
{
  BnFlow *flow;
  GScanner *scanner;
  const char *path;
} Reader;

static gboolean
fail (const Reader *r, GError **error, const char *what)
{
  return bn_input_fail (error, BN_INPUT_ERROR_SYNTAX, (BnPlace) { r->path, r->scanner->line }, "%s", what);
}

/* Whether the next token is this character; then it is taken. */
static gboolean
takes (Reader *r, char character)
{
  if (g_scanner_peek_next_token (r->scanner) != (GTokenType) character)
    return FALSE;
  g_scanner_get_next_token (r->scanner);
  return TRUE;
}

/* A name, a number or a text in quotes. Returns: (transfer full), NULL with `error` set. */
static char *
take_id (Reader *r, GError **error)
{
  switch ((int) g_scanner_get_next_token (r->scanner))
    {
    case G_TOKEN_IDENTIFIER:
      return g_strdup (r->scanner->value.v_identifier);
    case G_TOKEN_STRING:
      return g_strdup (r->scanner->value.v_string);
    default:
      fail (r, error, "here a name, or a text in quotes, should stand");
      return NULL;
    }
}

/* The node of that name, made where it is new; G_MAXUINT with `error` set. */
static guint
node (Reader *r, const char *id, GError **error)
{
  guint found = bn_flow_find (r->flow, id);

  return found != G_MAXUINT
           ? found
           : bn_flow_add_task (r->flow, id, id, -1, (BnPlace) { r->path, r->scanner->line }, error);
}

static gboolean
set_attribute (Reader *r, guint task, const char *key, const char *value, GError **error)
{
  BnFlowTask *t = g_ptr_array_index (r->flow->tasks, task);
  BnPlace place = { r->path, r->scanner->line };
  int64_t bytes;

  if (strcmp (key, "label") == 0)
    {
      g_free (t->name);
      t->name = g_strdup (value);
    }
  else if (strcmp (key, "runtime") == 0)
    return bn_parse_scaled (value, BN_NS_PER_S, &t->runtime_ns, error) || bn_input_prefix (error, place, key);
  else if (strcmp (key, "size") == 0)
    {
      if (!bn_parse_scaled (value, 1, &bytes, error))
        return bn_input_prefix (error, place, key);
      g_autofree char *file = g_strconcat (t->id, " (output)", NULL);
      bn_flow_use (r->flow, task, file, bytes, TRUE);
    }
  return TRUE;
}

/* [a=b, c=d] for tasks[0 .. n-1], if there is one. */
static gboolean
take_attributes (Reader *r, const guint *tasks, guint n, GError **error)
{
  while (takes (r, '['))
    while (!takes (r, ']'))
      {
        g_autofree char *key = take_id (r, error);
        g_autofree char *value = key != NULL && takes (r, '=') ? take_id (r, error) : NULL;
        if (key == NULL)
          return FALSE;
        if (value == NULL)
          {
            g_clear_error (error);
            return fail (r, error, "attributes are written [name=value, ...]");
          }
        for (guint i = 0; i < n; i++)
          if (!set_attribute (r, tasks[i], key, value, error))
            return FALSE;
        if (!takes (r, ','))
          takes (r, ';');
      }
  return TRUE;
}

/* a, or a -> b -> c, with attributes: of a lone node its own. */
static gboolean
take_chain (Reader *r, const char *first, GError **error)
{
  guint before = node (r, first, error);
  gboolean alone = TRUE;

  if (before == G_MAXUINT)
    return FALSE;
  if (takes (r, ':'))
    return fail (r, error, "ports (name:port) are not read");
  while (takes (r, '-'))
    {
      if (!takes (r, '>'))
        return fail (r, error, "edges of a DAG are written a -> b");
      g_autofree char *id = take_id (r, error);
      guint next = id != NULL ? node (r, id, error) : G_MAXUINT;
      if (next == G_MAXUINT)
        return FALSE;
      bn_flow_edge (r->flow, before, next);
      before = next;
      alone = FALSE;
    }
  return take_attributes (r, &before, alone, error);
}

/* A comment to the end of its line, which GScanner does not know. */
static gboolean
skip_comment (Reader *r, GError **error)
{
  guint line = r->scanner->line;

  if (!takes (r, '/'))
    return fail (r, error, "a / begins a comment only as // or /*");
  while (g_scanner_peek_next_token (r->scanner) != G_TOKEN_EOF && r->scanner->next_line == line)
    g_scanner_get_next_token (r->scanner);
  return TRUE;
}

static gboolean
take_statement (Reader *r, guint *depth, GError **error)
{
  if (takes (r, ';'))
    return TRUE;
  if (takes (r, '/'))
    return skip_comment (r, error);
  if (takes (r, '{'))
    {
      (*depth)++;
      return TRUE;
    }
  if (takes (r, '}'))
    {
      (*depth)--;
      return TRUE;
    }
  g_autofree char *id = take_id (r, error);
  if (id == NULL)
    return FALSE;
  if (strcmp (id, "graph") == 0 || strcmp (id, "node") == 0 || strcmp (id, "edge") == 0)
    return take_attributes (r, NULL, 0, error);
  if (strcmp (id, "subgraph") == 0)
    {
      if (g_scanner_peek_next_token (r->scanner) != (GTokenType) '{')
        g_free (take_id (r, NULL));
      return TRUE;
    }
  if (takes (r, '='))
    {
      g_autofree char *value = take_id (r, error);
      return value != NULL;
    }
  return take_chain (r, id, error);
}

static gboolean
take_graph (Reader *r, GError **error)
{
  guint depth = 1;

  while (takes (r, '/'))
    if (!skip_comment (r, error))
      return FALSE;
  g_autofree char *word = take_id (r, error);

  if (word != NULL && strcmp (word, "strict") == 0)
    {
      g_free (word);
      word = take_id (r, error);
    }
  if (word == NULL)
    return FALSE;
  if (strcmp (word, "digraph") != 0)
    return fail (r, error, "a DAG in Graphviz's language begins with digraph");
  if (g_scanner_peek_next_token (r->scanner) != (GTokenType) '{')
    {
      g_free (r->flow->name);
      r->flow->name = take_id (r, error);
    }
  if (r->flow->name == NULL || !takes (r, '{'))
    return r->flow->name != NULL ? fail (r, error, "{ should stand here") : FALSE;
  while (depth > 0)
    if (g_scanner_peek_next_token (r->scanner) == G_TOKEN_EOF)
      return fail (r, error, "the file ends before the graph does: a } is missing");
    else if (!take_statement (r, &depth, error))
      return FALSE;
  return TRUE;
}

static gboolean
read_dot (BnFlow *flow, const char *text, gsize length, const char *path, GError **error)
{
  GScanner *scanner = g_scanner_new (NULL);
  Reader r = { flow, scanner, path };

  scanner->config->cset_identifier_first = (char *) G_CSET_a_2_z G_CSET_A_2_Z "_.0123456789";
  scanner->config->cset_identifier_nth = (char *) G_CSET_a_2_z G_CSET_A_2_Z "_.0123456789";
  scanner->config->scan_identifier_1char = TRUE;
  scanner->config->scan_octal = scanner->config->scan_float = scanner->config->scan_hex = FALSE;
  scanner->config->scan_identifier_NULL = FALSE;
  scanner->config->scan_symbols = FALSE;
  scanner->config->char_2_token = TRUE;
  scanner->config->identifier_2_string = FALSE;
  g_scanner_input_text (scanner, text, (guint) length);
  gboolean ok = take_graph (&r, error);
  g_scanner_destroy (scanner);
  return ok;
}

static gboolean
detect (const char *text)
{
  const char *graph = strstr (text, "digraph");

  return graph != NULL && strchr (graph, '{') != NULL && strchr ("ds/#", text[strspn (text, " \t\r\n")]) != NULL;
}

const BnFlowFormat bn_flow_dot = { "dot", "Graphviz DOT: digraph, nodes with runtime= and size=", detect, read_dot };
