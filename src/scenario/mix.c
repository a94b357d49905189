/* mix.c: how often each workflow comes, as workload.mix says it.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "mix.h"

#include <string.h>

#include "catalogue.h"
#include "input_error.h"
#include "units.h"
#include "zipf.h"

#define ZIPF "zipf("

static gboolean
read_zipf (const char *text, uint32_t n, double *weights, GError **error)
{
  g_autofree char *number = g_strdup (text + strlen (ZIPF));
  gsize length = strlen (number);
  double exponent = -1;

  if (length > 0 && number[length - 1] == ')')
    {
      number[length - 1] = '\0';
      bn_parse_real (g_strstrip (number), &exponent, NULL);
    }
  if (exponent >= 0 && exponent <= BN_ZIPF_MAX_EXPONENT)
    {
      bn_zipf_weights (exponent, n, weights);
      return TRUE;
    }
  g_autofree char *quoted = bn_quote (text);
  return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, (BnPlace) { 0 },
                        "%s is no law of popularity; write zipf(S) alone, with S from 0 to %d, as zipf(1.1)", quoted,
                        BN_ZIPF_MAX_EXPONENT);
}

static gboolean
read_weight (const BnCatalogue *catalogue, char *item, double *weights, GError **error)
{
  const BnPlace nowhere = { 0 };
  char *colon = strrchr (item, ':');
  double weight = 1;

  if (colon != NULL)
    *colon++ = '\0';
  int32_t workflow = bn_catalogue_find_workflow (catalogue, item);
  if (workflow == BN_NONE)
    {
      g_autofree const char **known = g_new0 (const char *, catalogue->n_workflows + 1);
      for (uint32_t i = 0; i < catalogue->n_workflows; i++)
        known[i] = catalogue->workflows[i].name;
      g_autofree char *hint = bn_input_hint (item, known);
      return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, nowhere,
                            "'%s' is not a workflow of the catalogue%s; write WORKFLOW:WEIGHT", item, hint);
    }
  if (weights[workflow] >= 0)
    return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, nowhere, "names '%s' twice; name it once", item);
  if (colon != NULL && !bn_parse_real (colon, &weight, error))
    return FALSE;
  if (weight < 0 || weight > 1e9)
    return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, nowhere,
                          "the weight of '%s' is out of range; it may be 0 to 1e9", item);
  weights[workflow] = weight;
  return TRUE;
}

static gboolean
read_weights (const char *text, const BnCatalogue *catalogue, double *weights, GError **error)
{
  g_auto (GStrv) items = g_strsplit_set (text, " \t,", -1);
  gboolean empty = TRUE;
  double sum = 0;

  for (uint32_t i = 0; i < catalogue->n_workflows; i++)
    weights[i] = -1;
  for (char **item = items; *item != NULL; item++)
    if (**item != '\0')
      {
        empty = FALSE;
        if (!read_weight (catalogue, *item, weights, error))
          return FALSE;
      }
  for (uint32_t i = 0; i < catalogue->n_workflows; i++)
    {
      if (weights[i] < 0)
        weights[i] = empty ? 1 : 0;
      sum += weights[i];
    }
  return sum > 0 || bn_input_fail (error, BN_INPUT_ERROR_CONTENT, (BnPlace) { 0 },
                                   "every weight is 0; give a workflow a weight above 0");
}

double *
bn_mix_read (const char *text, const BnCatalogue *catalogue, GError **error)
{
  double *weights = g_new (double, catalogue->n_workflows);
  gboolean ok = g_str_has_prefix (text, ZIPF) ? read_zipf (text, catalogue->n_workflows, weights, error)
                                              : read_weights (text, catalogue, weights, error);

  if (ok)
    return weights;
  g_free (weights);
  return NULL;
}
