/* test_units.c: human units are read exactly, printed back, and refused clearly.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <check.h>

#include "suite.h"
#include "units.h"

typedef gboolean (*IntegralParser) (const char *text, int64_t *ret, GError **error);

static void
assert_reads (IntegralParser parse, const char *text, int64_t expected)
{
  GError *error = NULL;
  int64_t value = -1;
  gboolean ok = parse (text, &value, &error);
  ck_assert_msg (ok, "%s: %s", text, ok ? "" : error->message);
  ck_assert_msg (value == expected, "%s reads as %lld", text, (long long) value);
}

/* Refused, with the output left alone and the message as stated. */
static void
assert_refuses (IntegralParser parse, const char *text, BnUnitsError code, const char *message)
{
  GError *error = NULL;
  int64_t value = -77;
  ck_assert_msg (!parse (text, &value, &error), "%s was accepted", text);
  ck_assert_int_eq (value, -77);
  ck_assert (g_error_matches (error, BN_UNITS_ERROR, (int) code));
  if (message != NULL)
    ck_assert_str_eq (error->message, message);
  g_error_free (error);
}

START_TEST (durations_are_exact_decimals)
{
  assert_reads (bn_parse_duration, "0.000000001s", 1);
  assert_reads (bn_parse_duration, "10ms", 10000000);
  assert_reads (bn_parse_duration, "1.5 s", 1500000000);
  assert_reads (bn_parse_duration, " 2us ", 2000);
  assert_reads (bn_parse_duration, "1.5min", INT64_C (90000000000));
  assert_reads (bn_parse_duration, "2h", INT64_C (7200000000000));
  assert_reads (bn_parse_duration, "1e3ns", 1000);
  assert_reads (bn_parse_duration, "12.5e-3s", 12500000);
  assert_reads (bn_parse_duration, "9223372036.854775807s", INT64_MAX);
  assert_reads (bn_parse_duration, "9007199254740993ns", INT64_C (9007199254740993));
  assert_reads (bn_parse_duration, "000000000000000000000000000000000000005ns", 5);
  assert_reads (bn_parse_duration, "0.2ms", 200000);
}
END_TEST

START_TEST (what_is_finer_than_the_type_is_rounded_half_up)
{
  assert_reads (bn_parse_duration, "0.4999999999999999999ns", 0);
  assert_reads (bn_parse_duration, "0.5ns", 1);
  assert_reads (bn_parse_duration, "1.49ns", 1);
  assert_reads (bn_parse_duration, "2.5ns", 3);
  assert_reads (bn_parse_duration, "1e-400s", 0);
  assert_reads (bn_parse_duration, "0.00000000049s", 0);
}
END_TEST

START_TEST (zero_needs_no_unit_and_everything_else_does)
{
  assert_reads (bn_parse_duration, "0", 0);
  assert_reads (bn_parse_duration, "0.000", 0);
  assert_reads (bn_parse_size, "0", 0);
  assert_reads (bn_parse_multiple_ppm, "0x", 0);
  assert_refuses (bn_parse_duration, "10", BN_UNITS_ERROR_UNIT,
                  "'10' has no unit: a duration needs one of the units ns us ms s min h, for example 10ms");
  assert_refuses (bn_parse_size, "14G", BN_UNITS_ERROR_UNIT,
                  "'14G' has an unknown unit: a size needs one of the units B kB MB GB TB KiB MiB GiB TiB, "
                  "for example 14GB");
  assert_refuses (bn_parse_duration, "10MS", BN_UNITS_ERROR_UNIT, NULL);
  assert_refuses (bn_parse_duration, "10GB", BN_UNITS_ERROR_UNIT, NULL);
  assert_refuses (bn_parse_duration, "0x10ms", BN_UNITS_ERROR_UNIT, NULL);
}
END_TEST

START_TEST (sizes_and_rates_know_bytes_and_bits)
{
  assert_reads (bn_parse_size, "5.72GB", INT64_C (5720000000));
  assert_reads (bn_parse_size, "1kB", 1000);
  assert_reads (bn_parse_size, "1KiB", 1024);
  assert_reads (bn_parse_size, "1.5GiB", INT64_C (1610612736));
  assert_reads (bn_parse_size, "8TiB", INT64_C (8796093022208));
  assert_reads (bn_parse_rate, "12.58296GB/s", INT64_C (12582960000));
  assert_reads (bn_parse_rate, "100Gb/s", INT64_C (12500000000));
  assert_reads (bn_parse_rate, "8kb/s", 1000);
  assert_refuses (bn_parse_rate, "12GB", BN_UNITS_ERROR_UNIT, NULL);
  assert_reads (bn_parse_multiple_ppm, "3x", 3000000);
  assert_reads (bn_parse_multiple_ppm, "1.000001x", 1000001);
}
END_TEST

START_TEST (what_is_not_a_quantity_is_refused)
{
  static const char *const words[] = { "", " ", "ms", "nan", "nanms", "inf", "infs", "--1ms", "one s", ".s", ".",
                                       "e5s" };
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    assert_refuses (bn_parse_duration, words[i], BN_UNITS_ERROR_NUMBER, NULL);
  assert_refuses (bn_parse_duration, "fast", BN_UNITS_ERROR_NUMBER,
                  "'fast' is not a duration: it must begin with a decimal number, for example 10ms");
  assert_refuses (bn_parse_duration, "-1ms", BN_UNITS_ERROR_RANGE,
                  "'-1ms' is negative: a duration must not be, for example 10ms");
  assert_refuses (bn_parse_duration, "1,5ms", BN_UNITS_ERROR_UNIT, NULL);
  assert_refuses (bn_parse_duration, "9223372036.854775808s", BN_UNITS_ERROR_RANGE,
                  "'9223372036.854775808s' is too large: it does not fit 64 bits");
  assert_refuses (bn_parse_size, "1e400GB", BN_UNITS_ERROR_RANGE, NULL);
  assert_refuses (bn_parse_size, "99999999999999999999999999999999999999999999B", BN_UNITS_ERROR_RANGE, NULL);
}
END_TEST

START_TEST (frequencies_and_plain_numbers_are_the_nearest_double)
{
  double value = 0;
  ck_assert (bn_parse_frequency ("2/s", &value, NULL) && value == 2.0);
  ck_assert (bn_parse_frequency ("90 /min", &value, NULL) && value == 1.5);
  ck_assert (bn_parse_frequency ("7200/h", &value, NULL) && value == 2.0);
  ck_assert (!bn_parse_frequency ("2", &value, NULL));
  ck_assert (!bn_parse_frequency ("1e999/s", &value, NULL));
  ck_assert (!bn_parse_frequency ("nan/s", &value, NULL));
  ck_assert (bn_parse_real ("-0.1", &value, NULL) && value == -0.1);
  ck_assert (bn_parse_real ("1e-3", &value, NULL) && value == 0.001);
  ck_assert (!bn_parse_real ("0x1p3", &value, NULL));
  ck_assert (!bn_parse_real ("nan", &value, NULL));
  ck_assert (!bn_parse_real ("inf", &value, NULL));
  ck_assert (!bn_parse_real ("1 2", &value, NULL));
}
END_TEST

START_TEST (integers_and_switches)
{
  assert_reads (bn_parse_integer, "-12", -12);
  assert_reads (bn_parse_integer, "9223372036854775807", INT64_MAX);
  assert_refuses (bn_parse_integer, "9223372036854775808", BN_UNITS_ERROR_RANGE, NULL);
  assert_refuses (bn_parse_integer, "1.0", BN_UNITS_ERROR_NUMBER, NULL);
  assert_refuses (bn_parse_integer, "0x1", BN_UNITS_ERROR_NUMBER, NULL);
  gboolean flag = FALSE;
  ck_assert (bn_parse_bool ("on", &flag, NULL) && flag);
  ck_assert (bn_parse_bool ("0", &flag, NULL) && !flag);
  ck_assert (bn_parse_bool (" yes ", &flag, NULL) && flag);
  ck_assert (!bn_parse_bool ("maybe", &flag, NULL));
}
END_TEST

START_TEST (a_column_in_a_stated_unit_is_exact)
{
  int64_t ns = 0;
  ck_assert (bn_parse_scaled ("1734.5", BN_NS_PER_MS, &ns, NULL));
  ck_assert_int_eq (ns, INT64_C (1734500000));
  ck_assert (bn_parse_scaled ("1e3", 1, &ns, NULL));
  ck_assert_int_eq (ns, 1000);
  ck_assert (!bn_parse_scaled ("-1", 1, &ns, NULL));
  ck_assert (!bn_parse_scaled ("NaN", 1, &ns, NULL));
  ck_assert (!bn_parse_scaled ("5ms", 1, &ns, NULL));
  ck_assert (!bn_parse_scaled ("", 1, &ns, NULL));
}
END_TEST

static void
assert_prints (char *text, const char *expected)
{
  ck_assert_str_eq (text, expected);
  g_free (text);
}

START_TEST (printed_in_the_largest_unit_that_leaves_at_least_one)
{
  assert_prints (bn_format_duration (0), "0");
  assert_prints (bn_format_duration (999), "999ns");
  assert_prints (bn_format_duration (1500000000), "1.5s");
  assert_prints (bn_format_duration (10000000), "10ms");
  assert_prints (bn_format_duration (100000000), "100ms");
  assert_prints (bn_format_duration (1234567), "1.234567ms");
  assert_prints (bn_format_duration (INT64_C (90000000000)), "90s");
  assert_prints (bn_format_duration (INT64_C (600000000000)), "10min");
  assert_prints (bn_format_duration (INT64_C (7200000000000)), "2h");
  assert_prints (bn_format_size (INT64_C (14000000000)), "14GB");
  assert_prints (bn_format_size (1024), "1.024kB");
  assert_prints (bn_format_rate (INT64_C (12582960000)), "12.58296GB/s");
  assert_prints (bn_format_real (0.1), "0.1");
  assert_prints (bn_format_real (1.0 / 3.0), "0.3333333333333333");
  assert_prints (bn_format_real (2), "2");
}
END_TEST

START_TEST (what_is_printed_reads_back_the_same)
{
  uint64_t x = 1;
  for (int i = 0; i < 20000; i++)
    {
      x = x * UINT64_C (6364136223846793005) + UINT64_C (1442695040888963407);
      int64_t value = (int64_t) (x >> (1 + x % 63));
      char *duration = bn_format_duration (value), *size = bn_format_size (value), *rate = bn_format_rate (value);
      assert_reads (bn_parse_duration, duration, value);
      assert_reads (bn_parse_size, size, value);
      assert_reads (bn_parse_rate, rate, value);
      g_free (duration);
      g_free (size);
      g_free (rate);
    }
}
END_TEST

START_TEST (messages_quote_junk_on_one_short_line)
{
  assert_prints (bn_quote ("plain"), "'plain'");
  assert_prints (bn_quote ("a\nb\x01\xff"), "'a\\x0ab\\x01\\xff'");
  assert_prints (bn_quote ("é"), "'é'");
  char *junk = g_strnfill (1000000, 'z');
  char *quoted = bn_quote (junk);
  ck_assert_uint_eq (strlen (quoted), 1 + 60 + strlen ("…") + 1);
  g_free (quoted);
  g_free (junk);
}
END_TEST

START_TEST (the_nearest_known_word_is_found_and_nothing_far_away)
{
  static const char *const known[] = { "load-staleness", "cache-staleness", "rate", "speed", "memory", "on", NULL };
  ck_assert_str_eq (bn_nearest_word ("load-stalenes", known), "load-staleness");
  ck_assert_str_eq (bn_nearest_word ("rtae", known), "rate");
  ck_assert_str_eq (bn_nearest_word ("Speed", known), "speed");
  ck_assert_str_eq (bn_nearest_word ("memroy", known), "memory");
  ck_assert_ptr_null (bn_nearest_word ("colour", known));
  ck_assert_ptr_null (bn_nearest_word ("xy", known));
  ck_assert_ptr_null (bn_nearest_word ("", known));
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("units");
  TCase *t = tcase_create ("units");
  tcase_add_test (t, durations_are_exact_decimals);
  tcase_add_test (t, what_is_finer_than_the_type_is_rounded_half_up);
  tcase_add_test (t, zero_needs_no_unit_and_everything_else_does);
  tcase_add_test (t, sizes_and_rates_know_bytes_and_bits);
  tcase_add_test (t, what_is_not_a_quantity_is_refused);
  tcase_add_test (t, frequencies_and_plain_numbers_are_the_nearest_double);
  tcase_add_test (t, integers_and_switches);
  tcase_add_test (t, a_column_in_a_stated_unit_is_exact);
  tcase_add_test (t, printed_in_the_largest_unit_that_leaves_at_least_one);
  tcase_add_test (t, what_is_printed_reads_back_the_same);
  tcase_add_test (t, messages_quote_junk_on_one_short_line);
  tcase_add_test (t, the_nearest_known_word_is_found_and_nothing_far_away);
  suite_add_tcase (suite, t);
  return run_suite (suite);
}
