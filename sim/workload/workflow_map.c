/* workflow_map.c: which workflow a row of a trace becomes, by rules on one column.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "workflow_map.h"

#include <string.h>

#include "catalogue.h"
#include "units.h"

typedef struct Rule
{
  char *text;        /* NULL: any, or up to `most` */
  gboolean is_bound;
  double most;
  int32_t workflow;
} Rule;

struct BnWorkflowMap
{
  GArray *rules;     /* of Rule */
};

static void
clear_rule (gpointer data)
{
  g_free (((Rule *) data)->text);
}

static gboolean
fail (GError **error, const char *rule, const char *what)
{
  g_autofree char *quoted = bn_quote (rule);

  return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, (BnPlace) { 0 }, "%s: %s", quoted, what);
}

static gboolean
parse_rule (char *text, const BnCatalogue *catalogue, Rule *rule, GError **error)
{
  char *colon = strrchr (text, ':');

  *rule = (Rule) { 0 };
  if (colon == NULL)
    return fail (error, text, "is no rule; write PATTERN:WORKFLOW, as <=512:translation or *:translation");
  *colon = '\0';
  const char *name = g_strstrip (colon + 1), *pattern = g_strstrip (text);
  rule->workflow = bn_catalogue_find_workflow (catalogue, name);
  if (rule->workflow == BN_NONE)
    return fail (error, name, "is not a workflow of the catalogue; write PATTERN:WORKFLOW, as *:translation");
  rule->is_bound = g_str_has_prefix (pattern, "<=");
  if (rule->is_bound)
    return bn_parse_real (g_strchug ((char *) pattern + 2), &rule->most, error);
  if (strcmp (pattern, "*") != 0)
    rule->text = g_strdup (pattern);
  return TRUE;
}

BnWorkflowMap *
bn_workflow_map_parse (const char *text, const BnCatalogue *catalogue, GError **error)
{
  g_auto (GStrv) items = g_strsplit (text, ",", -1);
  BnWorkflowMap *map = g_new0 (BnWorkflowMap, 1);

  map->rules = g_array_new (FALSE, FALSE, sizeof (Rule));
  g_array_set_clear_func (map->rules, clear_rule);
  for (char **item = items; *item != NULL; item++)
    {
      Rule rule;
      if (!parse_rule (*item, catalogue, &rule, error))
        {
          bn_workflow_map_free (map);
          return NULL;
        }
      g_array_append_val (map->rules, rule);
    }
  return map;
}

void
bn_workflow_map_free (BnWorkflowMap *map)
{
  if (map == NULL)
    return;
  g_array_unref (map->rules);
  g_free (map);
}

int32_t
bn_workflow_map_find (const BnWorkflowMap *map, const char *value)
{
  double number = 0;
  gboolean is_number = bn_parse_real (value, &number, NULL);

  for (guint i = 0; i < map->rules->len; i++)
    {
      const Rule *rule = &g_array_index (map->rules, Rule, i);
      if (rule->is_bound ? is_number && number <= rule->most : rule->text == NULL || strcmp (rule->text, value) == 0)
        return rule->workflow;
    }
  return BN_NONE;
}
