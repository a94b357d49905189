/* test_catalogue.c: workflows are read, numbered and bounded; bad files are
 * refused with the line at fault.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <check.h>
#include <string.h>

#include <glib/gstdio.h>

#include "catalogue.h"
#include "keyfile.h"
#include "suite.h"

#define MODEL "[model m]\nsize = 1GB\n"
#define WORKFLOW "[workflow w]\n"
#define BODY "input = 1kB\noutput = 2kB\nruntime = 10ms\n"

static BnCatalogue *
parse (const char *text)
{
  GError *error = NULL;
  BnCatalogue *catalogue = bn_catalogue_parse (text, strlen (text), "w.ini", INT64_MAX, &error);
  ck_assert_msg (catalogue != NULL, "%s", error == NULL ? "" : error->message);
  return catalogue;
}

static void
assert_refused_for (const char *text, int64_t largest_gpu_bytes, const char *message)
{
  GError *error = NULL;
  BnCatalogue *catalogue = bn_catalogue_parse (text, strlen (text), "w.ini", largest_gpu_bytes, &error);
  ck_assert_msg (catalogue == NULL, "accepted: %s", text);
  ck_assert_str_eq (error->message, message);
  g_error_free (error);
}

static void
assert_refused (const char *text, const char *message)
{
  assert_refused_for (text, INT64_MAX, message);
}

static BnCatalogue *
read_paper (void)
{
  char *path = g_build_filename (g_getenv ("BN_SRCDIR"), "traces", "catalogue", "paper.ini", NULL);
  GError *error = NULL;
  BnCatalogue *catalogue = bn_catalogue_read ((const char *const[]) { path, NULL }, INT64_MAX, &error);
  ck_assert_msg (catalogue != NULL, "%s", error == NULL ? "" : error->message);
  g_free (path);
  return catalogue;
}

START_TEST (the_four_workflows_have_their_published_lower_bounds)
{
  static const struct
  {
    const char *name;
    int64_t lower_bound_us, work_us;
    uint32_t n_tasks;
  } expected[] = {
    { "translation", 1365000, 2584000, 5 },
    { "question_answer", 587000, 587000, 2 },
    { "img_to_sound", 359200, 385200, 4 },
    { "ImageObjDetect", 282600, 429600, 4 },
  };
  BnCatalogue *c = read_paper ();
  ck_assert_uint_eq (c->n_workflows, 4);
  ck_assert_uint_eq (c->n_tasks, 15);
  for (uint32_t i = 0; i < 4; i++)
    {
      const BnWorkflow *w = &c->workflows[i];
      ck_assert_str_eq (w->name, expected[i].name);
      ck_assert_uint_eq (w->index, i);
      ck_assert_uint_eq (w->n_tasks, expected[i].n_tasks);
      ck_assert_int_eq (w->lower_bound_ns, expected[i].lower_bound_us * 1000);
      int64_t work_ns = 0;
      for (uint32_t t = 0; t < w->n_tasks; t++)
        work_ns += w->tasks[t].runtime_ns;
      ck_assert_int_eq (work_ns, expected[i].work_us * 1000);
    }
  ck_assert_uint_eq (c->workflows[2].first_task, 7);
  int64_t bytes = 0;
  for (uint32_t m = 0; m < c->n_models; m++)
    bytes += c->models[m].size_bytes;
  ck_assert_int_eq (bytes, INT64_C (20760000000));
  bn_catalogue_free (c);
}
END_TEST

START_TEST (the_translation_workflow_fans_out_and_joins)
{
  BnCatalogue *c = read_paper ();
  const BnWorkflow *w = &c->workflows[bn_catalogue_find_workflow (c, "translation")];
  ck_assert_uint_eq (w->n_entries, 1);
  ck_assert_uint_eq (w->entries[0], 0);
  ck_assert_uint_eq (w->tasks[0].n_succs, 3);
  ck_assert_uint_eq (w->tasks[4].n_preds, 3);
  for (uint32_t i = 0; i < 3; i++)
    {
      ck_assert_uint_eq (w->tasks[0].succs[i], i + 1);
      ck_assert_uint_eq (w->tasks[4].preds[i], i + 1);
    }
  ck_assert_int_eq (w->tasks[4].model, BN_NONE);
  ck_assert_int_eq (w->tasks[2].model, w->tasks[3].model);
  ck_assert_str_eq (c->models[w->tasks[2].model].name, "mt5");
  ck_assert_int_eq (w->tasks[0].input_bytes, 1000);
  ck_assert_int_eq (bn_catalogue_find_model (c, "nothing"), BN_NONE);
  bn_catalogue_free (c);
}
END_TEST

START_TEST (integer_labels_number_tasks_by_value_in_any_file_order)
{
  BnCatalogue *c = parse (WORKFLOW "[task w/10]\nafter = 9\n" BODY "[task w/9]\n" BODY
                                    "[task w/-1]\nafter=10\n" BODY);
  const BnWorkflow *w = c->workflows;
  ck_assert_str_eq (w->tasks[0].label, "-1");
  ck_assert_str_eq (w->tasks[1].label, "9");
  ck_assert_str_eq (w->tasks[2].label, "10");
  ck_assert_uint_eq (w->tasks[0].preds[0], 2);
  ck_assert_uint_eq (w->topological[0], 1);
  ck_assert_uint_eq (w->topological[1], 2);
  ck_assert_uint_eq (w->topological[2], 0);
  ck_assert_int_eq (w->lower_bound_ns, 30000000);
  bn_catalogue_free (c);
}
END_TEST

START_TEST (other_labels_number_tasks_in_file_order)
{
  BnCatalogue *c = parse (WORKFLOW "[task w/10]\n" BODY "[task w/b]\n" BODY "[task w/a]\nafter = 10, b\n" BODY);
  const BnWorkflow *w = c->workflows;
  ck_assert_str_eq (w->tasks[0].label, "10");
  ck_assert_str_eq (w->tasks[1].label, "b");
  ck_assert_str_eq (w->tasks[2].label, "a");
  ck_assert_uint_eq (w->n_entries, 2);
  ck_assert_uint_eq (w->entries[1], 1);
  ck_assert_uint_eq (w->tasks[2].n_preds, 2);
  bn_catalogue_free (c);
}
END_TEST

START_TEST (sections_may_stand_in_any_order_and_use_any_line_end)
{
  BnCatalogue *c = parse ("\xef\xbb\xbf[task  w/1]\r\nmodel=m\r\n# note\r\n\r\ninput = 0\r\noutput = 0\r\n"
                          "runtime = 0\r\n[workflow w]\r\ndeadline = 2.5x\r\n[model m]\r\n"
                          "size = 1GB\r\nruntime@a10 = 3ms");
  ck_assert_uint_eq (c->workflows[0].n_tasks, 1);
  ck_assert_int_eq (c->workflows[0].tasks[0].model, 0);
  ck_assert_int_eq (c->workflows[0].lower_bound_ns, 0);
  ck_assert_int_eq (c->workflows[0].deadline_kind, BN_DEADLINE_MULTIPLE);
  ck_assert_int_eq (c->workflows[0].deadline_ppm, 2500000);
  ck_assert_uint_eq (c->models[0].n_stated, 1);
  ck_assert_str_eq (c->models[0].stated[0].gpu_type, "a10");
  ck_assert_int_eq (c->models[0].stated[0].runtime_ns, 3000000);
  bn_catalogue_free (c);
}
END_TEST

START_TEST (unknown_words_are_named_with_the_nearest_known_one)
{
  assert_refused ("[modle m]\nsize = 1GB\n",
                  "w.ini:1: 'modle m' is not a kind of section; a catalogue has [model NAME], [workflow NAME] and "
                  "[task WORKFLOW/LABEL]");
  assert_refused (MODEL "sise = 1GB\n",
                  "w.ini:3: 'sise' is not a key of [model m], which knows size, layers, weights-seed, runtime@GPU"
                  " (did you mean 'size'?)");
  assert_refused ("[model big]\nsize=1GB\n" WORKFLOW "[task w/0]\nmodel = bgi\n" BODY,
                  "w.ini:5: 'bgi' is not a model; add a section [model NAME] or write none (did you mean 'big'?)");
  assert_refused (WORKFLOW "[task v/0]\n" BODY,
                  "w.ini:2: 'v' is not a workflow; add a section [workflow NAME]");
  assert_refused (WORKFLOW "[task w/0]\nafter = 1\n" BODY,
                  "w.ini:3: after: '1' is not a task of workflow 'w'; name labels of its tasks");
}
END_TEST

START_TEST (missing_and_impossible_values_are_refused_at_their_line)
{
  assert_refused ("[model m]\n", "w.ini:1: [model m] lacks the key 'size'; add a line such as size = 2kB");
  assert_refused (WORKFLOW "[task w/0]\ninput=0\noutput=0\n",
                  "w.ini:2: [task w/0] lacks the key 'runtime'; add a line such as runtime = 10ms");
  assert_refused ("[model m]\nsize = -1GB\n",
                  "w.ini:2: size: '-1GB' is negative: a size must not be, for example 14GB");
  assert_refused ("[model m]\nsize = 5000TB\n",
                  "w.ini:2: size: more than 1000TB is surely a slip; check the unit");
  assert_refused ("[model m]\nsize = 1GB\nruntime@a10 = 241h\n",
                  "w.ini:3: runtime@a10: more than 240h is surely a slip; check the unit");
  assert_refused ("[model m]\nsize = 0\n",
                  "w.ini:2: size: a model has at least 1 byte; a task without a model has model = none");
  assert_refused ("[model m]\nsize = nan\n",
                  "w.ini:2: size: 'nan' is not a size: it must begin with a decimal number, for example 14GB");
  assert_refused ("[workflow w]\ndeadline = 0x\n",
                  "w.ini:2: deadline: must be above 0, for example 2s or 3x the lower bound");
  assert_refused ("[model a b]\nsize = 1GB\n",
                  "w.ini:1: 'a b' cannot be the name of a model; use at most 200 characters, without blanks , ; : @ "
                  "/ and quotes");
  assert_refused (WORKFLOW, "w.ini:1: workflow 'w' has no tasks; add a section [task w/NAME]");
  assert_refused (MODEL, "w.ini: holds no workflow; add a section [workflow NAME]");
  assert_refused ("", "w.ini: holds no workflow; add a section [workflow NAME]");
}
END_TEST

START_TEST (duplicates_are_refused)
{
  assert_refused (MODEL MODEL, "w.ini:3: section 'model m' is there already, at line 1; join the two or rename one");
  assert_refused (WORKFLOW "[task w/0]\n" BODY "[task  w/0]\n" BODY,
                  "w.ini:6: section 'task w/0' is there already, at line 2; join the two or rename one");
  assert_refused ("[model m]\nsize = 1GB\nsize = 2GB\n",
                  "w.ini:3: key 'size' is there already, at line 2; remove one of the two");
  assert_refused (WORKFLOW "[task w/0]\n" BODY "[task w/1]\nafter = 0 0\n" BODY,
                  "w.ini:7: task '1' of workflow 'w' names a predecessor twice; name it once");
}
END_TEST

START_TEST (cycles_are_refused_with_their_tasks)
{
  assert_refused (WORKFLOW "[task w/0]\n" BODY "[task w/1]\nafter = 0 3\n" BODY "[task w/2]\nafter = 1\n" BODY
                           "[task w/3]\nafter = 2\n" BODY "[task w/4]\nafter = 3\n" BODY,
                  "w.ini:1: workflow 'w' has a cycle: 1 -> 2 -> 3 -> 1; remove one of these edges");
  assert_refused (WORKFLOW "[task w/0]\nafter = 0\n" BODY,
                  "w.ini:1: workflow 'w' has a cycle: 0 -> 0; remove one of these edges");
}
END_TEST

START_TEST (a_model_larger_than_every_gpu_is_refused_only_if_used)
{
  assert_refused_for (MODEL WORKFLOW "[task w/0]\nmodel = m\n" BODY, 999999999,
                      "w.ini:2: model 'm' (1GB) is larger than every GPU (999.999999MB) and used by [task w/0]; "
                      "give a server group more memory");
  GError *error = NULL;
  const char *unused = MODEL WORKFLOW "[task w/0]\n" BODY;
  BnCatalogue *c = bn_catalogue_parse (unused, strlen (unused), "w.ini", 999999999, &error);
  ck_assert_ptr_nonnull (c);
  bn_catalogue_free (c);
}
END_TEST

START_TEST (junk_is_refused_and_never_read_beyond)
{
  GError *error = NULL;
  ck_assert_ptr_null (bn_catalogue_parse ("[model m]\nsize = 1\0GB\n", 22, "w.ini", INT64_MAX, &error));
  ck_assert_str_eq (error->message, "w.ini:2: the line holds a NUL byte; is this a text file?");
  g_clear_error (&error);
  assert_refused ("[model m]\n\xff\xfe\n", "w.ini:2: the line is not UTF-8 text; save the file as UTF-8");
  assert_refused ("[model m]\nsize\x1b = 1GB\n", "w.ini:2: the line holds the control character 0x1b; remove it");
  assert_refused ("[model m\n", "w.ini:1: a section's name must end with ']'; write [name]");
  assert_refused ("[]\n", "w.ini:1: a section's name is missing or has brackets in it; write [name]");
  assert_refused ("size = 1GB\n",
                  "w.ini:1: a key stands before the first section; begin with a line such as [scenario]");
  assert_refused ("[model m]\nsize 1GB\n",
                  "w.ini:2: 'size 1GB' is neither 'key = value' nor '[section]' nor a '# comment'");
  char *line = g_strnfill (BN_KEY_FILE_MAX_LINE + 1, 'x');
  assert_refused (line, "w.ini:1: the line is longer than 1 MiB; is this a key file?");
  g_free (line);
  /* any bytes at all: whatever becomes of them, it is an error and not a crash */
  uint32_t x = 12345;
  for (int round = 0; round < 2000; round++)
    {
      char bytes[64];
      for (gsize i = 0; i < sizeof bytes; i++)
        {
          x = x * 1664525u + 1013904223u;
          bytes[i] = "[]=\n\r #mw/0\0\xff task workflow"[(x >> 16) % 27];
        }
      BnCatalogue *c = bn_catalogue_parse (bytes, sizeof bytes, "junk", INT64_MAX, &error);
      ck_assert_ptr_null (c);
      ck_assert (g_str_has_prefix (error->message, "junk:"));
      ck_assert_ptr_null (strchr (error->message, '\n'));
      g_clear_error (&error);
    }
}
END_TEST

START_TEST (a_file_that_cannot_be_read_is_named)
{
  GError *error = NULL;
  ck_assert_ptr_null (bn_catalogue_read ((const char *const[]) { "no/such.ini", NULL }, INT64_MAX, &error));
  ck_assert_str_eq (error->message, "no/such.ini: cannot be opened: No such file or directory; check the path");
  g_clear_error (&error);
  ck_assert_ptr_null (bn_catalogue_read ((const char *const[]) { "/", NULL }, INT64_MAX, &error));
  ck_assert (g_str_has_prefix (error->message, "/: cannot be read: "));
  g_clear_error (&error);
}
END_TEST

START_TEST (several_files_make_one_catalogue)
{
  char *directory = g_dir_make_tmp ("bn-catalogue-XXXXXX", NULL);
  char *a = g_build_filename (directory, "a.ini", NULL), *b = g_build_filename (directory, "b.ini", NULL);
  ck_assert (g_file_set_contents (a, WORKFLOW "[task w/0]\nmodel = m\n" BODY, -1, NULL));
  ck_assert (g_file_set_contents (b, MODEL "[workflow v]\n[task v/0]\nmodel = m\n" BODY, -1, NULL));
  GError *error = NULL;
  BnCatalogue *c = bn_catalogue_read ((const char *const[]) { a, b, NULL }, INT64_MAX, &error);
  ck_assert_msg (c != NULL, "%s", error == NULL ? "" : error->message);
  ck_assert_uint_eq (c->n_workflows, 2);
  ck_assert_int_eq (c->workflows[0].tasks[0].model, 0);
  bn_catalogue_free (c);
  ck_assert_ptr_null (bn_catalogue_read ((const char *const[]) { a, a, NULL }, INT64_MAX, &error));
  char *message = g_strdup_printf ("%s:1: workflow 'w' is there already, in another file; remove one", a);
  ck_assert_str_eq (error->message, message);
  g_clear_error (&error);
  g_free (message);
  g_unlink (a);
  g_unlink (b);
  g_rmdir (directory);
  g_free (a);
  g_free (b);
  g_free (directory);
}
END_TEST

/* Random DAGs against the definition: the longest path by relaxing every edge
 * as often as there are tasks. */
START_TEST (random_dags_agree_with_a_naive_model)
{
  uint32_t x = 99;
  for (int round = 0; round < 200; round++)
    {
      uint32_t n = 1 + (x >> 16) % 30, preds[30][30], n_preds[30] = { 0 };
      int64_t runtime[30], end[30];
      BnCatalogueBuilder *b = bn_catalogue_builder_new ();
      bn_catalogue_builder_add_workflow (b, "w");
      for (uint32_t t = 0; t < n; t++)
        {
          for (uint32_t p = 0; p < t; p++)
            {
              x = x * 1664525u + 1013904223u;
              if ((x >> 16) % 4 == 0)
                preds[t][n_preds[t]++] = p;
            }
          x = x * 1664525u + 1013904223u;
          runtime[t] = (x >> 16) % 1000;
          bn_catalogue_builder_add_task (b, BN_NONE, 0, 0, runtime[t], preds[t], n_preds[t]);
        }
      BnCatalogue *c = bn_catalogue_builder_finish (b, NULL);
      ck_assert_ptr_nonnull (c);
      const BnWorkflow *w = c->workflows;
      int64_t longest = 0;
      memcpy (end, runtime, sizeof end);
      for (uint32_t again = 0; again < n; again++)
        for (uint32_t t = 0; t < n; t++)
          for (uint32_t i = 0; i < n_preds[t]; i++)
            end[t] = MAX (end[t], end[preds[t][i]] + runtime[t]);
      uint32_t n_edges = 0, n_back = 0, n_entries = 0, place[30];
      for (uint32_t t = 0; t < n; t++)
        {
          longest = MAX (longest, end[t]);
          place[w->topological[t]] = t;
          n_entries += n_preds[t] == 0;
        }
      for (uint32_t t = 0; t < n; t++)
        {
          ck_assert_uint_eq (w->tasks[t].n_preds, n_preds[t]);
          for (uint32_t i = 0; i < n_preds[t]; i++)
            {
              ck_assert_uint_eq (w->tasks[t].preds[i], preds[t][i]);
              ck_assert_uint_lt (place[preds[t][i]], place[t]);
            }
          n_edges += n_preds[t];
          n_back += w->tasks[t].n_succs;
          for (uint32_t i = 1; i < w->tasks[t].n_succs; i++)
            ck_assert_uint_lt (w->tasks[t].succs[i - 1], w->tasks[t].succs[i]);
        }
      ck_assert_uint_eq (n_edges, n_back);
      ck_assert_uint_eq (w->n_entries, n_entries);
      ck_assert_int_eq (w->lower_bound_ns, longest);
      bn_catalogue_free (c);
    }
}
END_TEST

START_TEST (a_thousand_tasks_in_a_row_are_accepted)
{
  BnCatalogueBuilder *b = bn_catalogue_builder_new ();
  bn_catalogue_builder_add_workflow (b, "chain");
  for (uint32_t t = 0; t < 1000; t++)
    bn_catalogue_builder_add_task (b, BN_NONE, 0, 0, 5, (const uint32_t[]) { t - 1 }, t > 0);
  BnCatalogue *c = bn_catalogue_builder_finish (b, NULL);
  ck_assert_int_eq (c->workflows[0].lower_bound_ns, 5000);
  bn_catalogue_free (c);

  GError *error = NULL;
  b = bn_catalogue_builder_new ();
  bn_catalogue_builder_add_workflow (b, "loop");
  for (uint32_t t = 0; t < 1000; t++)
    bn_catalogue_builder_add_task (b, BN_NONE, 0, 0, 5, (const uint32_t[]) { (t + 999) % 1000 }, 1);
  ck_assert_ptr_null (bn_catalogue_builder_finish (b, &error));
  ck_assert (g_str_has_prefix (error->message, "workflow 'loop' has a cycle: "));
  ck_assert_ptr_nonnull (strstr (error->message, "(1000 tasks); remove one of these edges"));
  g_clear_error (&error);

  b = bn_catalogue_builder_new ();
  bn_catalogue_builder_add_workflow (b, "w");
  bn_catalogue_builder_add_task (b, BN_NONE, 0, 0, 5, (const uint32_t[]) { 7 }, 1);
  ck_assert_ptr_null (bn_catalogue_builder_finish (b, &error));
  ck_assert_str_eq (error->message, "task '0' of workflow 'w' comes after a task that does not exist");
  g_clear_error (&error);
}
END_TEST

START_TEST (a_workflow_has_at_most_as_many_tasks_as_can_be_numbered)
{
  for (uint32_t n = BN_WORKFLOW_MAX_TASKS; n <= BN_WORKFLOW_MAX_TASKS + 1; n++)
    {
      GError *error = NULL;
      BnCatalogueBuilder *b = bn_catalogue_builder_new ();
      bn_catalogue_builder_add_workflow (b, "wide");
      for (uint32_t t = 0; t < n; t++)
        bn_catalogue_builder_add_task (b, BN_NONE, 0, 0, 5, NULL, 0);
      BnCatalogue *c = bn_catalogue_builder_finish (b, &error);
      if (n == BN_WORKFLOW_MAX_TASKS)
        ck_assert_uint_eq (c->n_tasks, n);
      else
        {
          ck_assert_ptr_null (c);
          ck_assert_str_eq (error->message,
                            "workflow 'wide' has more than 1048576 tasks; split it into several workflows");
          g_error_free (error);
        }
      bn_catalogue_free (c);
    }
}
END_TEST

#define CHANGING \
  "[model m]\nsize = 1GB\nlayers = lstm\nweights-seed = 7\nruntime@a10 = 40ms\n[model tiny]\nsize = 1B\n" \
  "[workflow w]\ndeadline = 2s\n" \
  "[task w/b]\nmodel = m\nafter = a\ninput = 0\noutput = 10kB\nruntime = 100ms\n" \
  "[task w/a]\nmodel = tiny\ninput = 3B\noutput = 0\nruntime = 1ms\n"

START_TEST (layers_and_seeds_are_read_and_have_defaults)
{
  BnCatalogue *c = parse (CHANGING), *again = parse (CHANGING);

  ck_assert_int_eq (c->models[0].layers, BN_LAYERS_LSTM);
  ck_assert_uint_eq (c->models[0].seed, 7);
  ck_assert_int_eq (c->models[1].layers, BN_LAYERS_BURN);
  ck_assert_uint_ne (c->models[1].seed, c->models[0].seed);
  ck_assert_uint_eq (c->models[1].seed, again->models[1].seed);
  ck_assert_int_eq (c->workflows[0].tasks[0].work_ns, 100 * BN_NS_PER_MS);
  bn_catalogue_free (c);
  bn_catalogue_free (again);
  assert_refused ("[model m]\nsize = 1GB\nlayers = lsmt\n",
                  "w.ini:3: 'lsmt' is not a kind of layers; there are burn, mlp, conv, lstm and transformer"
                  " (did you mean 'lstm'?)");
  assert_refused ("[model m]\nsize = 1GB\nweights-seed = -1\n", "w.ini:3: weights-seed: a seed is 0 or more");
}
END_TEST

START_TEST (a_scale_keeps_ratios_and_leaves_nothing_without_size)
{
  BnCatalogue *c = parse (CHANGING);
  BnCatalogue *small = bn_catalogue_changed (c, &(BnCatalogueChange){ .scale_ppm = 1000 });
  const BnWorkflow *w = &small->workflows[0];

  ck_assert_int_eq (small->models[0].size_bytes, 1000000);
  ck_assert_int_eq (small->models[1].size_bytes, 1);
  ck_assert_int_eq (small->models[0].layers, BN_LAYERS_LSTM);
  ck_assert_uint_eq (small->models[0].seed, 7);
  ck_assert_int_eq (small->models[0].stated[0].runtime_ns, 40 * BN_NS_PER_US);
  ck_assert_int_eq (w->deadline_ns, 2 * BN_NS_PER_MS);
  ck_assert_str_eq (w->tasks[0].label, "b");
  ck_assert_int_eq (w->tasks[0].input_bytes, 0);
  ck_assert_int_eq (w->tasks[0].output_bytes, 10);
  ck_assert_int_eq (w->tasks[0].runtime_ns, 100 * BN_NS_PER_US);
  ck_assert_int_eq (w->tasks[0].work_ns, 100 * BN_NS_PER_US);
  ck_assert_uint_eq (w->tasks[0].preds[0], 1);
  ck_assert_uint_eq (w->tasks[1].n_succs, 1);
  ck_assert_uint_eq (w->tasks[1].succs[0], 0);
  ck_assert_int_eq (w->tasks[1].input_bytes, 1);
  ck_assert_int_eq (w->lower_bound_ns, 101 * BN_NS_PER_US);
  bn_catalogue_free (small);
  bn_catalogue_free (c);
}
END_TEST

START_TEST (measured_runtimes_replace_profiles_and_stated_ones_but_not_the_work)
{
  static const BnDuration measured[] = { 7 * BN_NS_PER_MS, -1 };
  BnCatalogue *c = parse (CHANGING);
  BnCatalogue *changed = bn_catalogue_changed (c, &(BnCatalogueChange){ BN_PPM_ONE, measured });
  const BnWorkflow *w = &changed->workflows[0];

  ck_assert_int_eq (w->tasks[0].runtime_ns, 7 * BN_NS_PER_MS);
  ck_assert_int_eq (w->tasks[0].work_ns, 100 * BN_NS_PER_MS);
  ck_assert_uint_eq (changed->models[0].n_stated, 0);
  ck_assert_int_eq (w->tasks[1].runtime_ns, BN_NS_PER_MS);
  ck_assert_int_eq (w->lower_bound_ns, 8 * BN_NS_PER_MS);
  bn_catalogue_free (changed);
  bn_catalogue_free (c);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("catalogue");
  TCase *t = tcase_create ("catalogue");
  tcase_set_timeout (t, 60);
  tcase_add_test (t, the_four_workflows_have_their_published_lower_bounds);
  tcase_add_test (t, the_translation_workflow_fans_out_and_joins);
  tcase_add_test (t, integer_labels_number_tasks_by_value_in_any_file_order);
  tcase_add_test (t, other_labels_number_tasks_in_file_order);
  tcase_add_test (t, sections_may_stand_in_any_order_and_use_any_line_end);
  tcase_add_test (t, unknown_words_are_named_with_the_nearest_known_one);
  tcase_add_test (t, missing_and_impossible_values_are_refused_at_their_line);
  tcase_add_test (t, duplicates_are_refused);
  tcase_add_test (t, cycles_are_refused_with_their_tasks);
  tcase_add_test (t, a_model_larger_than_every_gpu_is_refused_only_if_used);
  tcase_add_test (t, junk_is_refused_and_never_read_beyond);
  tcase_add_test (t, a_file_that_cannot_be_read_is_named);
  tcase_add_test (t, several_files_make_one_catalogue);
  tcase_add_test (t, random_dags_agree_with_a_naive_model);
  tcase_add_test (t, a_thousand_tasks_in_a_row_are_accepted);
  tcase_add_test (t, a_workflow_has_at_most_as_many_tasks_as_can_be_numbered);
  tcase_add_test (t, layers_and_seeds_are_read_and_have_defaults);
  tcase_add_test (t, a_scale_keeps_ratios_and_leaves_nothing_without_size);
  tcase_add_test (t, measured_runtimes_replace_profiles_and_stated_ones_but_not_the_work);
  suite_add_tcase (suite, t);
  return run_suite (suite);
}
