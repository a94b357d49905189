/* test_fuzz_input.c: whatever bytes a reader is given, it answers with a result
 * or with one line of error.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Valid inputs are damaged at random (bytes changed, pieces cut, repeated or put
 * elsewhere) from fixed seeds. Built with the sanitizers where there are any, which
 * is what makes a silent overrun fail.
 */
#include <check.h>
#include <glib/gstdio.h>
#include <string.h>

#include "catalogue.h"
#include "rng.h"
#include "scenario.h"
#include "suite.h"

static char *directory;

static int
rounds (int few)
{
  return g_strcmp0 (g_getenv ("BN_TEST_LONG"), "1") == 0 ? 20 * few : few;
}

static void
set_up (void)
{
  directory = g_dir_make_tmp ("bn-fuzz-XXXXXX", NULL);
}

static void
tear_down (void)
{
  static const char *const names[] = { "s.ini", "c.ini", "t.csv" };
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      char *file = g_build_filename (directory, names[i], NULL);
      g_unlink (file);
      g_free (file);
    }
  g_rmdir (directory);
  g_free (directory);
}

static GString *
read_shipped (const char *folder, const char *name)
{
  char *path = g_build_filename (g_getenv ("BN_SRCDIR"), "traces", folder, name, NULL), *text = NULL;
  gsize length = 0;
  ck_assert (g_file_get_contents (path, &text, &length, NULL));
  GString *bytes = g_string_new_len (text, (gssize) length);
  g_free (text);
  g_free (path);
  return bytes;
}

/* Without g_file_set_contents's wait for the disk; it does not shorten a longer
 * file that is there. */
static void
write_file (const char *path, const GString *bytes)
{
  g_unlink (path);
  ck_assert (g_file_set_contents_full (path, bytes->str, (gssize) bytes->len, G_FILE_SET_CONTENTS_NONE, 0600, NULL));
}

/* One to eight wounds. */
static GString *
damage (const GString *whole, BnRng *rng)
{
  static const char spice[] = "[]=\n\r\t #@/:,.\"\0\xff\xef\xbb\xbf-+e0x9999999999999999999nan";
  GString *bytes = g_string_new_len (whole->str, (gssize) whole->len);
  for (uint64_t n = 1 + bn_rng_below (rng, 8); n > 0 && bytes->len > 0; n--)
    {
      gsize at = bn_rng_below (rng, bytes->len), length = 1 + bn_rng_below (rng, 40);
      length = MIN (length, bytes->len - at);
      char *piece = g_memdup2 (bytes->str + at, length);
      switch (bn_rng_below (rng, 5))
        {
        case 0:
          bytes->str[at] = (char) bn_rng_below (rng, 256);
          break;
        case 1:
          g_string_erase (bytes, (gssize) at, (gssize) length);
          break;
        case 2:
          g_string_insert_len (bytes, (gssize) bn_rng_below (rng, bytes->len + 1), piece, (gssize) length);
          break;
        case 3:
          g_string_insert_c (bytes, (gssize) at, spice[bn_rng_below (rng, sizeof spice)]);
          break;
        default:
          if (bn_rng_below (rng, 20) == 0)
            g_string_truncate (bytes, at);
        }
      g_free (piece);
    }
  return bytes;
}

/* Returns whether it was an error, after a look at it. */
static int
look_at (gboolean ok, GError *error)
{
  ck_assert (ok == (error == NULL));
  if (ok)
    return 0;
  ck_assert_uint_gt (strlen (error->message), 0);
  ck_assert_msg (strpbrk (error->message, "\n\r") == NULL, "%s", error->message);
  ck_assert (g_utf8_validate (error->message, -1, NULL));
  g_error_free (error);
  return 1;
}

START_TEST (a_damaged_catalogue_is_read_or_refused)
{
  GString *whole = read_shipped ("catalogue", "paper.ini");
  BnRng rng;
  bn_rng_init (&rng, 1, "catalogue");
  int n_refused = 0, n = rounds (2000);
  for (int i = 0; i < n; i++)
    {
      GString *bytes = damage (whole, &rng);
      GError *error = NULL;
      BnCatalogue *c = bn_catalogue_parse (bytes->str, bytes->len, "c.ini", INT64_C (14000000000), &error);
      n_refused += look_at (c != NULL, error);
      bn_catalogue_free (c);
      g_string_free (bytes, TRUE);
    }
  ck_assert_int_gt (n_refused, n / 4);
  ck_assert_int_lt (n_refused, n);
  g_string_free (whole, TRUE);
}
END_TEST

START_TEST (a_damaged_scenario_is_read_or_refused)
{
  GString *whole = read_shipped ("scenarios", "mixed.ini"), *catalogue = read_shipped ("catalogue", "paper.ini");
  char *path = g_build_filename (directory, "s.ini", NULL), *other = g_build_filename (directory, "c.ini", NULL);
  write_file (other, catalogue);
  BnRng rng;
  bn_rng_init (&rng, 1, "scenario");
  int n_refused = 0, n = rounds (500);
  for (int i = 0; i < n; i++)
    {
      GString *bytes = damage (whole, &rng);
      char *override = g_strconcat ("workload.catalogue=", other, NULL);
      GError *error = NULL;
      write_file (path, bytes);
      BnScenario *s = bn_scenario_read (path, (const char *const[]) { override, NULL }, &error);
      n_refused += look_at (s != NULL, error);
      bn_scenario_free (s);
      g_free (override);
      g_string_free (bytes, TRUE);
    }
  ck_assert_int_gt (n_refused, n / 4);
  ck_assert_int_lt (n_refused, n);
  g_free (path);
  g_free (other);
  g_string_free (whole, TRUE);
  g_string_free (catalogue, TRUE);
}
END_TEST

START_TEST (a_damaged_trace_is_read_or_refused)
{
  GString *whole = read_shipped ("arrivals", "sample.csv"), *text = read_shipped ("catalogue", "paper.ini");
  BnCatalogue *catalogue = bn_catalogue_parse (text->str, text->len, "c.ini", INT64_MAX, NULL);
  double weights[4] = { 1, 1, 1, 1 };
  char *path = g_build_filename (directory, "t.csv", NULL);
  BnArrivalsConfig config = {
    .kind = BN_ARRIVALS_TRACE,
    .trace_path = path,
    .time_column = "arrival_ms",
    .time_unit_ns = BN_NS_PER_MS,
    .time_scale = 1,
    .ingress_column = "n",
    .weights = weights,
    .max_jobs = INT64_MAX,
    .until_ns = BN_TIME_NEVER,
    .n_workers = 1000,
  };
  BnRng rng;
  bn_rng_init (&rng, 1, "trace");
  int n_refused = 0, n = rounds (1000);
  for (int i = 0; i < n; i++)
    {
      GString *bytes = damage (whole, &rng);
      GError *error = NULL;
      BnTraceSummary summary;
      int64_t *rows = g_new (int64_t, catalogue->n_workflows);
      write_file (path, bytes);
      gboolean ok = bn_arrivals_scan_trace (&config, catalogue, &summary, rows, &error);
      g_free (rows);
      n_refused += look_at (ok, error);
      g_string_free (bytes, TRUE);
    }
  ck_assert_int_gt (n_refused, n / 4);
  ck_assert_int_lt (n_refused, n);
  bn_catalogue_free (catalogue);
  g_free (path);
  g_string_free (whole, TRUE);
  g_string_free (text, TRUE);
}
END_TEST

START_TEST (a_damaged_variant_is_read_or_refused)
{
  GString *whole = g_string_new ("mine: compass[adjust=off,threshold=2.5,queue=srpt,"
                                 "load-staleness=interval:10ms,cache]");
  BnRunOptions base = bn_variant_default_options ();
  BnRng rng;
  bn_rng_init (&rng, 1, "variant");
  int n_refused = 0, n = rounds (5000);
  for (int i = 0; i < n; i++)
    {
      GString *bytes = damage (whole, &rng);
      GError *error = NULL;
      BnVariant *v = bn_variant_parse (bytes->str, &base, &error);
      n_refused += look_at (v != NULL, error);
      bn_variant_free (v);
      char **list = bn_variant_split (bytes->str);
      ck_assert_ptr_nonnull (list);
      g_strfreev (list);
      g_string_free (bytes, TRUE);
    }
  ck_assert_int_gt (n_refused, n / 4);
  ck_assert_int_lt (n_refused, n);
  g_string_free (whole, TRUE);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("fuzz_input");
  TCase *t = tcase_create ("fuzz_input");
  tcase_set_timeout (t, 600);
  tcase_add_checked_fixture (t, set_up, tear_down);
  tcase_add_test (t, a_damaged_catalogue_is_read_or_refused);
  tcase_add_test (t, a_damaged_scenario_is_read_or_refused);
  tcase_add_test (t, a_damaged_trace_is_read_or_refused);
  tcase_add_test (t, a_damaged_variant_is_read_or_refused);
  suite_add_tcase (suite, t);
  return run_suite (suite);
}
