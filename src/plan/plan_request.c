/* plan_request.c: what a plan is asked, on the command line or in a file's section [plan].
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "plan_request.h"

#include <string.h>

#include "keyfile.h"
#include "units.h"

#define USUAL_KEY "servers.count"
#define USUAL_PRECISION 0.02
#define USUAL_FIRST_SEEDS 5
#define USUAL_LAST_SEEDS 40
#define MOST_SEEDS 10000

/* Which keys the command line has given. */
enum
{
  SLO,
  OVER,
  SOLVE,
  GPU,
  MAX_SERVERS,
  PRECISION,
  SEEDS,
  N_KEYS
};

static const char *const keys[N_KEYS + 1] = { "slo", "over", "solve", "gpu", "max", "precision", "seeds", NULL };

/* What has been read of each. */
typedef struct Reading
{
  BnPlanRequest *request;
  gboolean given[N_KEYS];
  gboolean solve;
} Reading;

/* ---- values ---- */

static gboolean
read_slos (Reading *r, const char *text, BnPlace place, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (text, ",", -1);

  for (char **part = parts; *part != NULL; part++)
    {
      BnSlo slo;
      if (*g_strstrip (*part) == '\0')
        continue;
      if (!bn_slo_parse (*part, place, &slo, error))
        return FALSE;
      g_array_append_val (r->request->slos, slo);
      g_array_append_val (r->request->slo_places, place);
    }
  return TRUE;
}

/* "t4:0.35/h", or "t4" at the scenario's price. */
static gboolean
read_gpu (Reading *r, const char *text, BnPlace place, GError **error)
{
  BnPlanQuest *quest = &r->request->quest;
  const char *colon = strchr (text, ':');
  g_autofree char *group = g_strstrip (g_strndup (text, colon != NULL ? (gsize) (colon - text) : strlen (text)));
  g_autofree char *price = colon != NULL ? g_strstrip (g_strdup (colon + 1)) : NULL;
  BnPlanGpu gpu = { NULL, -1 };
  GError *wrong = NULL;

  if (quest->n_gpus == BN_PLAN_MAX_KINDS)
    return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, place, "more than %u kinds of GPU; name fewer",
                          BN_PLAN_MAX_KINDS);
  for (guint k = 0; k < quest->n_gpus; k++)
    if (strcmp (quest->gpus[k].group, group) == 0)
      return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, place, "'%s' stands there twice; name it once", group);
  if (price != NULL && g_str_has_suffix (price, "/h"))
    price[strlen (price) - 2] = '\0';
  if (price != NULL && (!bn_parse_real (price, &gpu.price_per_hour, &wrong) || gpu.price_per_hour < 0))
    {
      bn_input_fail (error, BN_INPUT_ERROR_CONTENT, place, "'%s' has no price%s%s; write t4:0.35/h", text,
                     wrong != NULL ? ": " : ", it is negative", wrong != NULL ? wrong->message : "");
      g_clear_error (&wrong);
      return FALSE;
    }
  gpu.group = g_steal_pointer (&group);
  quest->gpus[quest->n_gpus++] = gpu;
  quest->place = place;
  return TRUE;
}

static gboolean
read_gpus (Reading *r, const char *text, BnPlace place, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (text, ",", -1);

  for (char **part = parts; *part != NULL; part++)
    if (*g_strstrip (*part) != '\0' && !read_gpu (r, *part, place, error))
      return FALSE;
  return TRUE;
}

static gboolean
read_solve (Reading *r, const char *text, BnPlace place, GError **error)
{
  r->solve = TRUE;
  r->request->quest.place = place;
  if (strcmp (text, "rate") == 0)
    return TRUE;
  return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, place, "'%s' cannot be solved for; write rate: the greatest load"
                        " that the servers carry (of a trace: times its own)", text);
}

static gboolean
read_max (Reading *r, const char *text, BnPlace place, GError **error)
{
  int64_t max;

  if (!bn_parse_integer (text, &max, NULL) || max < 1 || max > 1000000)
    return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, place, "'%s' is no greatest number; write 1 to 1000000", text);
  r->request->quest.max = max;
  return TRUE;
}

static gboolean
read_precision (Reading *r, const char *text, BnPlace place, GError **error)
{
  g_autofree char *number = g_strdup (text);
  gboolean percent = g_str_has_suffix (number, "%");
  double value;

  if (percent)
    number[strlen (number) - 1] = '\0';
  if (!bn_parse_real (g_strstrip (number), &value, NULL) || value < (percent ? 0.01 : 0.0001)
      || value > (percent ? 100 : 1))
    return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, place, "'%s' is no relative precision; write 0.01%% to 100%%",
                          text);
  r->request->quest.precision = percent ? value / 100 : value;
  return TRUE;
}

/* "5..40", or "10": no more than these. */
static gboolean
read_seeds (Reading *r, const char *text, BnPlace place, GError **error)
{
  const char *dots = strstr (text, "..");
  g_autofree char *low = g_strstrip (g_strndup (text, dots != NULL ? (gsize) (dots - text) : strlen (text)));
  g_autofree char *high = g_strstrip (g_strdup (dots != NULL ? dots + 2 : text));
  int64_t first, last;

  if (!bn_parse_integer (low, &first, NULL) || !bn_parse_integer (high, &last, NULL) || first < 2 || last < first
      || last > MOST_SEEDS)
    return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, place,
                          "'%s' is no number of seeds; write 5..40: 5 at first, and up to 40 where it is undecided;"
                          " at least 2, as one says nothing about certainty", text);
  r->request->first_seeds = (guint) first;
  r->request->last_seeds = (guint) last;
  return TRUE;
}

static gboolean
read_over (Reading *r, const char *text, BnPlace place, GError **error G_GNUC_UNUSED)
{
  g_free (r->request->quest.key);
  r->request->quest.key = g_strdup (text);
  r->request->quest.place = place;
  return TRUE;
}

static gboolean (*const readers[N_KEYS]) (Reading *r, const char *text, BnPlace place, GError **error) = {
  [SLO] = read_slos,
  [OVER] = read_over,
  [SOLVE] = read_solve,
  [GPU] = read_gpus,
  [MAX_SERVERS] = read_max,
  [PRECISION] = read_precision,
  [SEEDS] = read_seeds,
};

/* ---- where they stand ---- */

static gboolean
read_option (Reading *r, guint key, const char *value, GError **error)
{
  if (value == NULL)
    return TRUE;
  g_autofree char *quoted = bn_quote (value);
  char *option = g_strdup_printf ("--%s %s", keys[key], quoted);
  g_ptr_array_add (r->request->texts, option);
  r->given[key] = TRUE;
  if (!g_utf8_validate (value, -1, NULL))
    return bn_input_fail (error, BN_INPUT_ERROR_SYNTAX, (BnPlace) { option, 0 }, "is not UTF-8");
  return readers[key] (r, value, (BnPlace) { option, 0 }, error);
}

static gboolean
read_options (Reading *r, const BnPlanOptions *options, GError **error)
{
  const struct
  {
    guint key;
    const char *value;
  } single[] = { { OVER, options->over },           { SOLVE, options->solve }, { MAX_SERVERS, options->max },
                 { PRECISION, options->precision }, { SEEDS, options->seeds } };

  for (char **slo = options->slo; slo != NULL && *slo != NULL; slo++)
    if (!read_option (r, SLO, *slo, error))
      return FALSE;
  for (char **gpu = options->gpu; gpu != NULL && *gpu != NULL; gpu++)
    if (!read_option (r, GPU, *gpu, error))
      return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (single); i++)
    if (!read_option (r, single[i].key, single[i].value, error))
      return FALSE;
  return TRUE;
}

/* What is wanted is said once: on the command line, or in the file. */
static gboolean
is_outdone (const Reading *r, guint key)
{
  gboolean wanted = r->given[OVER] || r->given[SOLVE] || r->given[GPU];

  return key == OVER || key == SOLVE || key == GPU ? wanted : r->given[key];
}

static gboolean
read_entry (Reading *r, const gboolean *outdone, const BnKeyEntry *entry, BnPlace place, GError **error)
{
  for (guint key = 0; key < N_KEYS; key++)
    if (strcmp (entry->key, keys[key]) == 0)
      return outdone[key] || readers[key] (r, entry->value, place, error);
  g_autofree char *known = g_strjoinv (", ", (char **) keys), *hint = bn_input_hint (entry->key, keys);
  return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, place, "'%s' is not a key of [plan]%s; it knows %s", entry->key,
                        hint, known);
}

static gboolean
read_file (Reading *r, const char *path, GError **error)
{
  BnKeyFile *file = bn_key_file_read (path, error);
  char *name = g_strdup (path);
  gboolean outdone[N_KEYS], ok = file != NULL;

  g_ptr_array_add (r->request->texts, name);
  for (guint key = 0; key < N_KEYS; key++)
    outdone[key] = is_outdone (r, key);
  for (guint i = 0; ok && i < file->n_sections; i++)
    for (guint j = 0; ok && j < file->sections[i].n_entries && strcmp (file->sections[i].name, "plan") == 0; j++)
      {
        const BnKeyEntry *entry = &file->sections[i].entries[j];
        ok = read_entry (r, outdone, entry, (BnPlace) { name, entry->line }, error);
      }
  bn_key_file_free (file);
  return ok;
}

/* ---- together ---- */

static gboolean
settle (Reading *r, const char *path, GError **error)
{
  BnPlanQuest *quest = &r->request->quest;
  guint n_wanted = (quest->key != NULL) + r->solve + (quest->n_gpus > 0);

  if (r->request->slos->len == 0)
    return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, (BnPlace) { path, 0 },
                          "there is no promise to keep; give one with --slo 'p99(latency) <= 1.5s', or as slo = … in"
                          " the section [plan]");
  if (n_wanted > 1)
    return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, quest->place,
                          "over, solve and gpu each say what to look for; give one of them");
  quest->kind = r->solve ? BN_PLAN_RATE : quest->n_gpus > 0 ? BN_PLAN_MIX : BN_PLAN_COUNT;
  if (n_wanted == 0)
    quest->key = g_strdup (USUAL_KEY);
  return TRUE;
}

gboolean
bn_plan_request_read (BnPlanRequest *request, const char *path, const BnPlanOptions *options, GError **error)
{
  Reading r = { .request = request };

  *request = (BnPlanRequest) { .slos = g_array_new (FALSE, FALSE, sizeof (BnSlo)),
                               .slo_places = g_array_new (FALSE, FALSE, sizeof (BnPlace)),
                               .texts = g_ptr_array_new_with_free_func (g_free),
                               .first_seeds = USUAL_FIRST_SEEDS, .last_seeds = USUAL_LAST_SEEDS,
                               .quest = { .precision = USUAL_PRECISION } };
  return read_options (&r, options, error) && read_file (&r, path, error) && settle (&r, path, error);
}

void
bn_plan_request_clear (BnPlanRequest *request)
{
  for (guint i = 0; i < request->slos->len; i++)
    bn_slo_clear (&g_array_index (request->slos, BnSlo, i));
  for (guint k = 0; k < request->quest.n_gpus; k++)
    g_free (request->quest.gpus[k].group);
  g_free (request->quest.key);
  g_array_unref (request->slos);
  g_array_unref (request->slo_places);
  g_ptr_array_unref (request->texts);
}
