/* flow_dot.c: Graphviz's language, what DAGs need of it.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * digraph NAME { a [label="x", runtime=2.5, size=1000]; a -> b -> c; }: a node is a task, runtime is in seconds and
 * size the bytes that it hands on. Edges may go to groups and on from them, a -> {b c} -> d. Statements about graph, node
 * and edge, and all other attributes, are passed over; the nodes of a subgraph are nodes. Ports, HTML and a group that
 * begins a statement with an edge are refused.
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

/* Whether the next token is this word, without quotes, in any case of its letters; then it is taken. */
static gboolean
takes_word (Reader *r, const char *word)
{
  if (g_scanner_peek_next_token (r->scanner) != G_TOKEN_IDENTIFIER
      || g_ascii_strcasecmp (r->scanner->next_value.v_identifier, word) != 0)
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
    case '-':
      if (g_scanner_peek_next_token (r->scanner) == G_TOKEN_IDENTIFIER
          && strchr ("0123456789.", *r->scanner->next_value.v_identifier) != NULL)
        {
          g_scanner_get_next_token (r->scanner);
          return g_strconcat ("-", r->scanner->value.v_identifier, NULL);
        }
      break;
    default:
      break;
    }
  fail (r, error, "here a name, or a text in quotes, should stand");
  return NULL;
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

/* The file that a size of a node is of. Returns: (transfer full). */
static char *
output_of (const BnFlowTask *task)
{
  return g_strconcat (task->id, " (output)", NULL);
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
      g_autofree char *file = output_of (t);
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

/* Adds to `nodes` (of guint) that of `first`, or of the next token where that is NULL, or all of { a b c }, before which
 * `subgraph NAME` may stand. */
static gboolean
take_nodes (Reader *r, const char *first, GArray *nodes, GError **error)
{
  gboolean subgraph = first == NULL && takes_word (r, "subgraph");
  if (subgraph && g_scanner_peek_next_token (r->scanner) != (GTokenType) '{')
    g_free (take_id (r, NULL));
  gboolean group = first == NULL && takes (r, '{');

  if (subgraph && !group)
    return fail (r, error, "{ should stand here");
  g_array_set_size (nodes, 0);
  do
    {
      g_autofree char *id = first != NULL ? g_strdup (first) : take_id (r, error);
      guint found = id != NULL ? node (r, id, error) : G_MAXUINT;
      if (found == G_MAXUINT)
        return FALSE;
      if (takes (r, ':'))
        return fail (r, error, "ports (name:port) are not read");
      g_array_append_val (nodes, found);
      while (group && (takes (r, ',') || takes (r, ';')))
        ;
    }
  while (group && !takes (r, '}'));
  return TRUE;
}

static gboolean
add_edges (Reader *r, const GArray *from, const GArray *to, GError **error)
{
  if (r->flow->stated->len + (guint64) from->len * to->len > BN_FLOW_MAX_EDGES)
    return fail (r, error, "there are more edges than are read");
  for (guint f = 0; f < from->len; f++)
    for (guint t = 0; t < to->len; t++)
      bn_flow_edge (r->flow, g_array_index (from, guint, f), g_array_index (to, guint, t));
  return TRUE;
}

/* a, or a -> b -> {c d}, with attributes: of a lone node its own. */
static gboolean
take_chain (Reader *r, const char *first, GError **error)
{
  g_autoptr (GArray) from = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (GArray) to = g_array_new (FALSE, FALSE, sizeof (guint));
  gboolean alone = TRUE;

  if (!take_nodes (r, first, from, error))
    return FALSE;
  for (; takes (r, '-'); alone = FALSE)
    {
      if (!takes (r, '>'))
        return fail (r, error, "edges of a DAG are written a -> b");
      if (!take_nodes (r, NULL, to, error) || !add_edges (r, from, to, error))
        return FALSE;
      g_array_set_size (from, 0);
      g_array_append_vals (from, to->data, to->len);
    }
  return take_attributes (r, (const guint *) from->data, alone, error);
}

/* Where a comment that begins at c ends; c: none begins there. `begins` says that c begins a line. */
static char *
comment_end (char *c, gboolean begins)
{
  char *end = c;

  if ((c[0] == '/' && c[1] == '/') || (c[0] == '#' && begins))
    end = c + strcspn (c, "\n");
  else if (c[0] == '/' && c[1] == '*')
    {
      char *close = strstr (c + 2, "*/");
      end = close != NULL ? close + 2 : c + strlen (c);
    }
  return end;
}

/* Puts blanks where comments are: to a scanner a quotation mark in one would begin a text. */
static void
blank_comments (char *text)
{
  gboolean quoted = FALSE;
  char *c = text;

  while (*c != '\0')
    {
      char *end = quoted ? c : comment_end (c, c == text || c[-1] == '\n');
      for (; c < end; c++)
        if (*c != '\n')
          *c = ' ';
      if (quoted && c[0] == '\\' && c[1] != '\0')
        c++;
      else if (*c == '"')
        quoted = !quoted;
      if (*c != '\0')
        c++;
    }
}

static gboolean
take_statement (Reader *r, guint *depth, GError **error)
{
  if (takes (r, ';'))
    return TRUE;
  if (takes (r, '{'))
    {
      (*depth)++;
      return TRUE;
    }
  if (takes (r, '}'))
    {
      (*depth)--;
      return g_scanner_peek_next_token (r->scanner) != (GTokenType) '-'
             || fail (r, error, "edges from a group that begins a statement are not read; write one for each node");
    }
  if (takes_word (r, "graph") || takes_word (r, "node") || takes_word (r, "edge"))
    return take_attributes (r, NULL, 0, error);
  if (takes_word (r, "subgraph"))
    {
      if (g_scanner_peek_next_token (r->scanner) != (GTokenType) '{')
        g_free (take_id (r, NULL));
      return TRUE;
    }
  g_autofree char *id = take_id (r, error);
  if (id == NULL)
    return FALSE;
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

  takes_word (r, "strict");
  if (!takes_word (r, "digraph"))
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

/* What a node hands on goes to all that its edges lead to. */
static void
use_outputs (BnFlow *flow)
{
  for (guint i = 0; i < flow->stated->len; i++)
    {
      guint parent, child;
      bn_flow_stated_edge (flow, i, &parent, &child);
      g_autofree char *file = output_of (g_ptr_array_index (flow->tasks, parent));
      if (g_hash_table_contains (flow->by_file, file))
        bn_flow_use (flow, child, file, -1, FALSE);
    }
}

static gboolean
read_dot (BnFlow *flow, const char *text, gsize length, const char *path, GError **error)
{
  g_autofree char *bare = g_strndup (text, length);
  GScanner *scanner = g_scanner_new (NULL);
  Reader r = { flow, scanner, path };

  scanner->config->cset_identifier_first = (char *) G_CSET_a_2_z G_CSET_A_2_Z "_.0123456789";
  scanner->config->cset_identifier_nth = (char *) G_CSET_a_2_z G_CSET_A_2_Z "_.0123456789";
  scanner->config->scan_identifier_1char = TRUE;
  scanner->config->scan_octal = scanner->config->scan_float = scanner->config->scan_hex = FALSE;
  scanner->config->scan_identifier_NULL = FALSE;
  scanner->config->scan_string_sq = scanner->config->skip_comment_single = FALSE;
  scanner->config->skip_comment_multi = scanner->config->scan_comment_multi = FALSE;
  scanner->config->scan_symbols = FALSE;
  scanner->config->char_2_token = TRUE;
  scanner->config->identifier_2_string = FALSE;
  blank_comments (bare);
  g_scanner_input_text (scanner, bare, (guint) strlen (bare));
  gboolean ok = take_graph (&r, error);
  g_scanner_destroy (scanner);
  use_outputs (flow);
  return ok;
}

static gboolean
detect (const char *text)
{
  g_autofree char *small = g_ascii_strdown (text, -1);
  const char *graph = strstr (small, "digraph");

  return graph != NULL && strchr (graph, '{') != NULL && strchr ("ds/#", small[strspn (small, " \t\r\n")]) != NULL;
}

const BnFlowFormat bn_flow_dot = { "dot", "Graphviz DOT: digraph, nodes with runtime= and size=", detect, read_dot };
