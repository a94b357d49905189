/* test_variant.c: `name[key=value,…]` is read, named canonically, and refused
 * clearly.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <check.h>
#include <string.h>

#include "eviction.h"
#include "param_text.h"
#include "presets.h"
#include "queue_order.h"
#include "registry.h"
#include "suite.h"
#include "units.h"
#include "variant.h"

static BnVariant *
parse (const char *text)
{
  BnRunOptions base = bn_variant_default_options ();
  GError *error = NULL;
  BnVariant *v = bn_variant_parse (text, &base, &error);
  ck_assert_msg (v != NULL, "%s: %s", text, error == NULL ? "" : error->message);
  return v;
}

static void
assert_named (const char *text, const char *name)
{
  BnVariant *v = parse (text);
  ck_assert_str_eq (v->name, name);
  bn_variant_free (v);
}

static void
assert_refused (const char *text, const char *message)
{
  BnRunOptions base = bn_variant_default_options ();
  GError *error = NULL;
  ck_assert_ptr_null (bn_variant_parse (text, &base, &error));
  ck_assert_str_eq (error->message, message);
  g_error_free (error);
}

START_TEST (choices_of_options_are_those_of_the_tables)
{
  for (uint32_t i = 0; i < bn_n_variant_options; i++)
    {
      const BnParamSpec *spec = &bn_variant_options[i];
      if (strcmp (spec->name, "queue") == 0)
        {
          ck_assert_uint_eq (g_strv_length ((char **) spec->choices), bn_n_queue_orders);
          for (uint32_t j = 0; j < bn_n_queue_orders; j++)
            ck_assert_str_eq (spec->choices[j], bn_queue_orders[j].name);
        }
      if (strcmp (spec->name, "evict") == 0)
        {
          ck_assert_uint_eq (g_strv_length ((char **) spec->choices), bn_n_evictions);
          for (uint32_t j = 0; j < bn_n_evictions; j++)
            ck_assert_str_eq (spec->choices[j], bn_evictions[j].name);
        }
    }
}
END_TEST

START_TEST (defaults_are_those_of_the_published_system)
{
  BnRunOptions o = bn_variant_default_options ();
  ck_assert_str_eq (bn_queue_orders[o.queue_order].name, "fifo");
  ck_assert_str_eq (bn_evictions[o.eviction].name, "lookahead");
  ck_assert_int_eq (o.evict_cost, BN_EVICT_COST_WRITEBACK);
  ck_assert_int_eq (o.prefetch, BN_PREFETCH_OFF);
  ck_assert_int_eq (o.reserve, BN_RESERVE_OFF);
  ck_assert_int_eq (o.contention, BN_CONTENTION_NONE);
  ck_assert_int_eq (o.decision_cost_ns, 0);
  ck_assert_int_eq (o.queue_settings.ageing_ns, 10 * BN_NS_PER_S);
  ck_assert_int_eq (o.load_spread.mode, BN_SPREAD_DELAY);
  ck_assert_int_eq (o.load_spread.period_ns, 10 * BN_NS_PER_MS);
  ck_assert_int_eq (o.cache_spread.period_ns, 10 * BN_NS_PER_MS);
}
END_TEST

START_TEST (settings_reach_the_scheduler_and_the_options)
{
  BnVariant *v = parse ("compass[ threshold = 2.5 ,adjust=off,queue=srpt,evict=lru,load-staleness=interval:1s,"
                        "cache-staleness=delay:0,decision-cost=10us,reserve=own]");
  ck_assert_str_eq (v->scheduler->name, "compass");
  for (uint32_t i = 0; i < v->scheduler->n_params; i++)
    {
      if (strcmp (v->scheduler->params[i].name, "threshold") == 0)
        ck_assert_double_eq (v->params[i].real, 2.5);
      if (strcmp (v->scheduler->params[i].name, "adjust") == 0)
        ck_assert_int_eq (v->params[i].integer, 0);
      if (strcmp (v->scheduler->params[i].name, "cache") == 0)
        ck_assert_int_eq (v->params[i].integer, 1);
    }
  ck_assert_str_eq (bn_queue_orders[v->options.queue_order].name, "srpt");
  ck_assert_str_eq (bn_evictions[v->options.eviction].name, "lru");
  ck_assert_int_eq (v->options.load_spread.mode, BN_SPREAD_INTERVAL);
  ck_assert_int_eq (v->options.load_spread.period_ns, BN_NS_PER_S);
  ck_assert_int_eq (v->options.cache_spread.mode, BN_SPREAD_DELAY);
  ck_assert_int_eq (v->options.cache_spread.period_ns, 0);
  ck_assert_int_eq (v->options.decision_cost_ns, 10000);
  ck_assert_int_eq (v->options.reserve, BN_RESERVE_OWN);
  bn_variant_free (v);
}
END_TEST

START_TEST (a_decision_costs_a_time_or_what_it_takes)
{
  BnRunOptions base = bn_variant_default_options ();
  BnVariant *v = parse ("jit[decision-cost=measured]");

  ck_assert (v->options.decision_measured);
  ck_assert_int_eq (v->options.decision_cost_ns, 0);
  ck_assert_str_eq (v->name, "jit[decision-cost=measured]");
  bn_variant_free (v);
  /* on top of a scenario's default */
  base.decision_measured = true;
  v = bn_variant_parse ("jit[decision-cost=5us]", &base, NULL);
  ck_assert (!v->options.decision_measured);
  ck_assert_int_eq (v->options.decision_cost_ns, 5000);
  ck_assert_str_eq (v->name, "jit[decision-cost=5us]");
  bn_variant_free (v);
}
END_TEST

START_TEST (names_are_canonical_and_parse_back_to_themselves)
{
  assert_named ("compass", "compass");
  assert_named (" compass [ ] ", "compass");
  assert_named ("compass[adjust]", "compass");
  assert_named ("compass[adjust=on,queue=fifo]", "compass");
  assert_named ("compass[queue=srpt,adjust=no]", "compass[adjust=off,queue=srpt]");
  assert_named ("compass[load-staleness=delay:1000us]", "compass[load-staleness=1ms]");
  assert_named ("compass[load-staleness=interval:10ms]", "compass[load-staleness=interval:10ms]");
  assert_named ("hash[random]", "hash[random]");
  assert_named ("hash[by=random]", "hash[random]");
  assert_named ("heft[cache,central]", "heft[cache,central]");
  assert_named ("mine: compass[adjust=off]", "mine");
  assert_named ("two words : jit", "two words");
}
END_TEST

START_TEST (the_source_of_a_variant_gives_it_back)
{
  static const char *const texts[] = { " mine: compass[ adjust=off ] ", "jit", "heft[central,reserve=own]\t" };
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      BnVariant *v = parse (texts[i]), *again = parse (v->source);
      char *settings = bn_variant_settings (v), *same = bn_variant_settings (again);
      ck_assert_str_eq (again->name, v->name);
      ck_assert_str_eq (same, settings);
      g_free (settings);
      g_free (same);
      bn_variant_free (v);
      bn_variant_free (again);
    }
  BnVariant *v = parse (texts[0]);
  ck_assert_str_eq (v->source, "mine: compass[ adjust=off ]");
  bn_variant_free (v);
}
END_TEST

START_TEST (the_scenario_s_options_are_the_defaults_of_its_variants)
{
  BnRunOptions base = bn_variant_default_options ();
  base.contention = BN_CONTENTION_FIFO;
  BnVariant *v = bn_variant_parse ("jit", &base, NULL);
  ck_assert_str_eq (v->name, "jit");
  ck_assert_int_eq (v->options.contention, BN_CONTENTION_FIFO);
  bn_variant_free (v);
  v = bn_variant_parse ("jit[contention=none]", &base, NULL);
  ck_assert_str_eq (v->name, "jit[contention=none]");
  bn_variant_free (v);
}
END_TEST

START_TEST (every_scheduler_parses_by_name_and_all_its_defaults_spelled_out)
{
  for (guint i = 0; bn_schedulers[i] != NULL; i++)
    {
      BnVariant *v = parse (bn_schedulers[i]->name);
      char *settings = g_strchomp (bn_variant_settings (v));
      char **lines = g_strsplit (settings, "\n", -1);
      ck_assert_uint_eq (g_strv_length (lines), bn_schedulers[i]->n_params + bn_n_variant_options);
      char *list = g_strjoinv (",", lines), *full = g_strdup_printf ("%s[%s]", v->name, list);
      assert_named (full, bn_schedulers[i]->name);
      g_free (full);
      g_free (list);
      g_strfreev (lines);
      g_free (settings);
      bn_variant_free (v);
    }
}
END_TEST

START_TEST (a_preset_sets_what_belongs_together_and_brackets_change_it)
{
  for (guint i = 0; i < bn_n_presets; i++)
    {
      const BnPreset *preset = &bn_presets[i];
      assert_named (preset->name, preset->name);
      /* its settings spelled out are it */
      char *full = g_strdup_printf ("%s[%s]", preset->name, preset->settings);
      assert_named (full, preset->name);
      g_free (full);
      BnVariant *v = parse (preset->name);
      ck_assert_str_eq (v->scheduler->name, preset->scheduler);
      ck_assert_str_eq (bn_queue_orders[v->options.queue_order].name, "key");
      bn_variant_free (v);
    }
  BnVariant *v = parse ("late[queue=fifo,steal=off]");
  ck_assert_str_eq (v->name, "late[queue=fifo,steal=off]");
  ck_assert (!v->options.steal && v->options.redecide);
  ck_assert_int_eq (v->options.reserve, BN_RESERVE_PUBLISHED);
  bn_variant_free (v);
}
END_TEST

/* A preset's settings go before those of the scenario, which they do not touch. */
START_TEST (a_preset_overrides_the_options_of_the_scenario)
{
  BnRunOptions base = bn_variant_default_options ();
  ck_assert (bn_variant_set_option (&base, 0, "srpt", NULL));
  base.evict_cost = BN_EVICT_COST_FREE;
  BnVariant *v = bn_variant_parse ("late-min", &base, NULL);
  ck_assert_str_eq (bn_queue_orders[v->options.queue_order].name, "key");
  ck_assert_int_eq (v->options.evict_cost, BN_EVICT_COST_FREE);
  bn_variant_free (v);
  ck_assert_str_eq (bn_queue_orders[base.queue_order].name, "srpt");
}
END_TEST

START_TEST (the_weight_of_the_key_order_stands_in_brackets_of_its_own)
{
  assert_named ("compass[queue=key]", "compass[queue=key]");
  assert_named ("compass[queue=key[h=32]]", "compass[queue=key]");
  assert_named ("compass[ queue = key[h=4] ,steal]", "compass[queue=key[h=4],steal]");
  assert_refused ("jit[queue=key[g=4]]",
                  "queue: 'key[g=4]' cannot be read; only key takes a setting, as in key[h=4]");
  assert_refused ("jit[queue=fifo[h=4]]",
                  "queue: 'fifo[h=4]' cannot be read; only key takes a setting, as in key[h=4]");
  assert_refused ("jit[queue=key[h=-1]]", "queue: '-1' is out of range; it may be 0..1000000");
}
END_TEST

START_TEST (mistakes_are_named_with_what_was_meant)
{
  GString *names = g_string_new (NULL);
  for (guint i = 0; bn_schedulers[i] != NULL; i++)
    g_string_append_printf (names, "%s%s", i == 0 ? "" : ", ", bn_schedulers[i]->name);
  for (guint i = 0; i < bn_n_presets; i++)
    if (strcmp (bn_presets[i].name, bn_presets[i].scheduler) != 0)
      g_string_append_printf (names, ", %s", bn_presets[i].name);
  char *message = g_strdup_printf ("'compas' is not a scheduler (did you mean 'compass'?); there are %s", names->str);
  assert_refused ("compas[queue=srpt]", message);
  g_free (message);
  g_string_free (names, TRUE);
  char *orders = g_strjoinv ("|", (char **) bn_queue_order_names);
  message = g_strdup_printf ("queue: 'srtp' is not one of %s (did you mean 'srpt'?)", orders);
  assert_refused ("jit[queue=srtp]", message);
  g_free (message);
  g_free (orders);
  assert_refused ("compass[threshold=-1]", "threshold: '-1' is out of range; it may be 0..1000000");
  assert_refused ("compass[threshold=nan]", "threshold: 'nan' is not a plain decimal number, for example 1.5");
  assert_refused ("jit[decision-cost=10]",
                  "decision-cost: '10' has no unit: a duration needs one of the units ns us ms "
                  "s min h, for example 10ms");
  assert_refused ("jit[queue=srpt,queue=fifo]", "'queue' is set twice; set it once");
  assert_refused ("jit[queue=srpt", "'jit[queue=srpt' does not end its brackets properly; write name[key=value,…]");
  assert_refused ("jit[queue=srpt]x",
                  "'jit[queue=srpt]x' does not end its brackets properly; write name[key=value,…]");
  assert_refused ("jit[[]", "'jit[[]' does not end its brackets properly; write name[key=value,…]");
  assert_refused ("jit[off]", "'off' could be the value of several settings of jit; write key=off");
  assert_refused (": jit",
                  "'' cannot be a label; write LABEL: SCHEDULER with at most 100 letters, without , ] =, other than"
                  " bound");
  assert_refused ("bound: jit",
                  "'bound' cannot be a label; write LABEL: SCHEDULER with at most 100 letters, without , ] =, other than"
                  " bound");
  BnRunOptions base = bn_variant_default_options ();
  GError *error = NULL;
  ck_assert_ptr_null (bn_variant_parse ("jit[quue=srpt]", &base, &error));
  ck_assert (g_str_has_prefix (error->message, "'quue' is not a setting of jit (did you mean 'queue'?); it takes "));
  g_clear_error (&error);
  ck_assert_ptr_null (bn_variant_parse ("", &base, &error));
  g_clear_error (&error);
}
END_TEST

START_TEST (lists_are_split_outside_brackets)
{
  char **list = bn_variant_split (" jit, compass[queue=srpt,adjust=off] ,, a b: hash[random]");
  ck_assert_uint_eq (g_strv_length (list), 3);
  ck_assert_str_eq (list[0], "jit");
  ck_assert_str_eq (list[1], "compass[queue=srpt,adjust=off]");
  ck_assert_str_eq (list[2], "a b: hash[random]");
  g_strfreev (list);
  list = bn_variant_split ("");
  ck_assert_uint_eq (g_strv_length (list), 0);
  g_strfreev (list);
}
END_TEST

START_TEST (all_stands_for_every_scheduler)
{
  guint n = 0;
  while (bn_schedulers[n])
    n++;
  char **list = bn_variant_split ("jit[queue=srpt], all");
  ck_assert_uint_eq (g_strv_length (list), n + 1);
  for (guint i = 0; i < n; i++)
    ck_assert_str_eq (list[i + 1], bn_schedulers[i]->name);
  g_strfreev (list);
}
END_TEST

START_TEST (options_print_as_they_are_read)
{
  BnRunOptions o = bn_variant_default_options ();
  for (uint32_t i = 0; i < bn_n_variant_options; i++)
    {
      char *text = bn_variant_get_option (&o, i), *range = bn_param_format_range (&bn_variant_options[i]);
      BnRunOptions other = o;
      ck_assert (bn_variant_set_option (&other, i, text, NULL));
      char *again = bn_variant_get_option (&other, i);
      ck_assert_str_eq (text, again);
      ck_assert_uint_gt (strlen (range), 0);
      g_free (text);
      g_free (again);
      g_free (range);
    }
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("variant");
  TCase *t = tcase_create ("variant");
  tcase_add_test (t, choices_of_options_are_those_of_the_tables);
  tcase_add_test (t, defaults_are_those_of_the_published_system);
  tcase_add_test (t, settings_reach_the_scheduler_and_the_options);
  tcase_add_test (t, a_decision_costs_a_time_or_what_it_takes);
  tcase_add_test (t, names_are_canonical_and_parse_back_to_themselves);
  tcase_add_test (t, the_source_of_a_variant_gives_it_back);
  tcase_add_test (t, the_scenario_s_options_are_the_defaults_of_its_variants);
  tcase_add_test (t, every_scheduler_parses_by_name_and_all_its_defaults_spelled_out);
  tcase_add_test (t, a_preset_sets_what_belongs_together_and_brackets_change_it);
  tcase_add_test (t, a_preset_overrides_the_options_of_the_scenario);
  tcase_add_test (t, the_weight_of_the_key_order_stands_in_brackets_of_its_own);
  tcase_add_test (t, mistakes_are_named_with_what_was_meant);
  tcase_add_test (t, lists_are_split_outside_brackets);
  tcase_add_test (t, all_stands_for_every_scheduler);
  tcase_add_test (t, options_print_as_they_are_read);
  suite_add_tcase (suite, t);
  return run_suite (suite);
}
