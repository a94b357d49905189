/* units.c: human units in and out, in integers of 128 bits.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "units.h"

#include <string.h>

__extension__ typedef unsigned __int128 u128;

G_DEFINE_QUARK (bn-units-error-quark, bn_units_error)

/* Digits kept of a number. 25 of them times the largest unit (3.6e12 ns in an
 * hour) still fit 128 bits, and a 64-bit result has 19. */
#define MAX_DIGITS 25

/* mantissa * 10^exponent, and where the number ends in the text. */
typedef struct Decimal
{
  u128 mantissa;
  int exponent;
  gboolean negative;
  const char *end;
} Decimal;

typedef struct Unit
{
  const char *name;
  int64_t factor;
} Unit;

static const Unit duration_units[] = {
  { "ns", 1 },
  { "us", BN_NS_PER_US },
  { "ms", BN_NS_PER_MS },
  { "s", BN_NS_PER_S },
  { "min", 60 * BN_NS_PER_S },
  { "h", 3600 * BN_NS_PER_S },
  { NULL, 0 },
};

static const Unit size_units[] = {
  { "B", 1 },
  { "kB", 1000 },
  { "MB", 1000000 },
  { "GB", 1000000000 },
  { "TB", INT64_C (1000000000000) },
  { "KiB", INT64_C (1) << 10 },
  { "MiB", INT64_C (1) << 20 },
  { "GiB", INT64_C (1) << 30 },
  { "TiB", INT64_C (1) << 40 },
  { NULL, 0 },
};

static const Unit rate_units[] = {
  { "B/s", 1 },
  { "kB/s", 1000 },
  { "MB/s", 1000000 },
  { "GB/s", 1000000000 },
  { "TB/s", INT64_C (1000000000000) },
  { "KiB/s", INT64_C (1) << 10 },
  { "MiB/s", INT64_C (1) << 20 },
  { "GiB/s", INT64_C (1) << 30 },
  { "TiB/s", INT64_C (1) << 40 },
  { "kb/s", 125 },
  { "Mb/s", 125000 },
  { "Gb/s", 125000000 },
  { NULL, 0 },
};

static const Unit multiple_units[] = {
  { "x", BN_PPM_ONE },
  { NULL, 0 },
};

/* The factor divides: 1/min is 1/60 of 1/s. */
static const Unit frequency_units[] = {
  { "/s", 1 },
  { "/min", 60 },
  { "/h", 3600 },
  { NULL, 0 },
};

char *
bn_quote (const char *text)
{
  GString *quoted = g_string_new ("'");
  gsize n = 0;
  for (const char *p = text; *p != '\0'; n++)
    {
      if (n == 60)
        {
          g_string_append (quoted, "…");
          break;
        }
      gunichar c = g_utf8_get_char_validated (p, -1);
      if (c == (gunichar) -1 || c == (gunichar) -2)
        {
          g_string_append_printf (quoted, "\\x%02x", (unsigned) (unsigned char) *p);
          p++;
          continue;
        }
      if (g_unichar_isprint (c))
        g_string_append_unichar (quoted, c);
      else
        g_string_append_printf (quoted, "\\x%02x", (unsigned) c);
      p = g_utf8_next_char (p);
    }
  g_string_append_c (quoted, '\'');
  return g_string_free (quoted, FALSE);
}

static gboolean
fail (GError **error, BnUnitsError code, const char *text, const char *what)
{
  /* readers of traces ask of every field whether it is a number: with the text made, trace info takes 3.6 times as
     long */
  if (error == NULL)
    return FALSE;
  char *quoted = bn_quote (text);
  g_set_error (error, BN_UNITS_ERROR, code, "%s %s", quoted, what);
  g_free (quoted);
  return FALSE;
}

static const char *
skip_blanks (const char *p)
{
  while (*p == ' ' || *p == '\t')
    p++;
  return p;
}

static void
add_digit (Decimal *d, char c, int *n_digits, gboolean fraction)
{
  if (*n_digits == MAX_DIGITS)
    {
      if (!fraction && d->exponent < 1000000)
        d->exponent++;
      return;
    }
  if (*n_digits > 0 || c != '0')
    (*n_digits)++;
  d->mantissa = d->mantissa * 10 + (unsigned) (c - '0');
  if (fraction && d->exponent > -1000000)
    d->exponent--;
}

/* [-]digits[.digits][e[+-]digits], at least one digit before the exponent. */
static gboolean
read_decimal (const char *text, Decimal *d)
{
  const char *p = skip_blanks (text);
  int n_digits = 0;
  *d = (Decimal) { 0 };
  if (*p == '-' || *p == '+')
    d->negative = *p++ == '-';
  const char *start = p;
  while (g_ascii_isdigit (*p))
    add_digit (d, *p++, &n_digits, FALSE);
  gboolean any = p > start;
  if (*p == '.')
    {
      const char *fraction = ++p;
      while (g_ascii_isdigit (*p))
        add_digit (d, *p++, &n_digits, TRUE);
      any = any || p > fraction;
    }
  if (!any)
    return FALSE;
  if (*p == 'e' || *p == 'E')
    {
      const char *q = p + 1;
      gboolean minus = *q == '-';
      if (*q == '-' || *q == '+')
        q++;
      if (g_ascii_isdigit (*q))
        {
          int exponent = 0;
          for (; g_ascii_isdigit (*q); q++)
            exponent = exponent > 100000 ? exponent : exponent * 10 + (*q - '0');
          d->exponent += minus ? -exponent : exponent;
          p = q;
        }
    }
  d->end = p;
  return TRUE;
}

/* mantissa * 10^exponent * factor to the nearest integer, halves up. FALSE if it
 * does not fit 64 bits. */
static gboolean
scale_decimal (const Decimal *d, int64_t factor, int64_t *ret)
{
  u128 value = d->mantissa * (u128) (uint64_t) factor;
  int exponent = d->exponent;
  for (; exponent > 0 && value != 0; exponent--)
    {
      if (value > (u128) INT64_MAX)
        return FALSE;
      value *= 10;
    }
  if (exponent < 0)
    {
      /* what is cut off in front of the last digit cannot turn a remainder below
         one half into one half */
      for (; exponent < -1 && value != 0; exponent++)
        value /= 10;
      value = (value + 5) / 10;
    }
  if (value > (u128) INT64_MAX)
    return FALSE;
  *ret = (int64_t) value;
  return TRUE;
}

/* Splits `text` into number and unit. Sets *factor, 1 for a bare zero. `kind`
 * reads "a duration", `example` "10ms". */
static gboolean
read_quantity (const char *text, const Unit *units, const char *kind, const char *example, Decimal *d,
               int64_t *factor, GError **error)
{
  char *what = NULL;
  BnUnitsError code = BN_UNITS_ERROR_NUMBER;
  if (!read_decimal (text, d))
    what = g_strdup_printf ("is not %s: it must begin with a decimal number, for example %s", kind, example);
  else if (d->negative && d->mantissa != 0)
    {
      code = BN_UNITS_ERROR_RANGE;
      what = g_strdup_printf ("is negative: %s must not be, for example %s", kind, example);
    }
  else
    {
      char *unit = g_strstrip (g_strdup (d->end));
      const Unit *u = units;
      while (u->name != NULL && strcmp (u->name, unit) != 0)
        u++;
      if (u->name != NULL)
        *factor = u->factor;
      else if (*unit == '\0' && d->mantissa == 0)
        *factor = 1;
      else
        {
          GString *names = g_string_new (NULL);
          for (u = units; u->name != NULL; u++)
            g_string_append_printf (names, "%s%s", u == units ? "" : " ", u->name);
          code = BN_UNITS_ERROR_UNIT;
          what = g_strdup_printf ("%s: %s needs one of the units %s, for example %s",
                                  *unit == '\0' ? "has no unit" : "has an unknown unit", kind, names->str, example);
          g_string_free (names, TRUE);
        }
      g_free (unit);
    }
  if (what == NULL)
    return TRUE;
  fail (error, code, text, what);
  g_free (what);
  return FALSE;
}

static gboolean
parse_integral_quantity (const char *text, const Unit *units, const char *kind, const char *example, int64_t *ret,
                         GError **error)
{
  Decimal d;
  int64_t factor;
  if (!read_quantity (text, units, kind, example, &d, &factor, error))
    return FALSE;
  if (!scale_decimal (&d, factor, ret))
    return fail (error, BN_UNITS_ERROR_RANGE, text, "is too large: it does not fit 64 bits");
  return TRUE;
}

gboolean
bn_parse_duration (const char *text, BnDuration *ret, GError **error)
{
  return parse_integral_quantity (text, duration_units, "a duration", "10ms", ret, error);
}

gboolean
bn_parse_size (const char *text, int64_t *ret_bytes, GError **error)
{
  return parse_integral_quantity (text, size_units, "a size", "14GB", ret_bytes, error);
}

gboolean
bn_parse_rate (const char *text, int64_t *ret_bytes_per_s, GError **error)
{
  return parse_integral_quantity (text, rate_units, "a rate", "12.5GB/s", ret_bytes_per_s, error);
}

gboolean
bn_parse_multiple_ppm (const char *text, int64_t *ret_ppm, GError **error)
{
  return parse_integral_quantity (text, multiple_units, "a multiple", "3x", ret_ppm, error);
}

/* The digits of `text` before `end`, as the nearest double. */
static double
double_before (const char *text, const char *end)
{
  char *number = g_strndup (text, (gsize) (end - text));
  double value = g_ascii_strtod (number, NULL);
  g_free (number);
  return value;
}

static gboolean
is_finite (double x)
{
  return x - x == 0;
}

gboolean
bn_parse_frequency (const char *text, double *ret_per_s, GError **error)
{
  Decimal d;
  int64_t factor;
  if (!read_quantity (text, frequency_units, "a frequency", "2/s", &d, &factor, error))
    return FALSE;
  double value = double_before (text, d.end) / (double) factor;
  if (!is_finite (value))
    return fail (error, BN_UNITS_ERROR_RANGE, text, "is too large");
  *ret_per_s = value;
  return TRUE;
}

/* A number and nothing after it. */
static gboolean
read_plain (const char *text, Decimal *d, GError **error)
{
  if (!read_decimal (text, d) || *skip_blanks (d->end) != '\0')
    return fail (error, BN_UNITS_ERROR_NUMBER, text, "is not a plain decimal number, for example 1.5");
  return TRUE;
}

gboolean
bn_parse_real (const char *text, double *ret, GError **error)
{
  Decimal d;
  if (!read_plain (text, &d, error))
    return FALSE;
  double value = double_before (text, d.end);
  if (!is_finite (value))
    return fail (error, BN_UNITS_ERROR_RANGE, text, "is too large");
  *ret = value;
  return TRUE;
}

gboolean
bn_parse_scaled (const char *text, int64_t multiplier, int64_t *ret, GError **error)
{
  g_return_val_if_fail (multiplier >= 1 && multiplier <= 3600 * BN_NS_PER_S, FALSE);
  Decimal d;
  if (!read_plain (text, &d, error))
    return FALSE;
  if (d.negative && d.mantissa != 0)
    return fail (error, BN_UNITS_ERROR_RANGE, text, "is negative");
  if (!scale_decimal (&d, multiplier, ret))
    return fail (error, BN_UNITS_ERROR_RANGE, text, "is too large: it does not fit 64 bits");
  return TRUE;
}

gboolean
bn_parse_integer (const char *text, int64_t *ret, GError **error)
{
  const char *p = skip_blanks (text);
  gboolean negative = *p == '-';
  if (*p == '-' || *p == '+')
    p++;
  const char *start = p;
  uint64_t value = 0;
  gboolean fits = TRUE;
  for (; g_ascii_isdigit (*p); p++)
    {
      unsigned digit = (unsigned) (*p - '0');
      fits = fits && value <= ((uint64_t) INT64_MAX - digit) / 10;
      if (fits)
        value = value * 10 + digit;
    }
  if (p == start || *skip_blanks (p) != '\0')
    return fail (error, BN_UNITS_ERROR_NUMBER, text, "is not a whole number, for example 5");
  if (!fits)
    return fail (error, BN_UNITS_ERROR_RANGE, text, "is too large: it does not fit 64 bits");
  *ret = negative ? -(int64_t) value : (int64_t) value;
  return TRUE;
}

gboolean
bn_parse_bool (const char *text, gboolean *ret, GError **error)
{
  static const char *const words[] = { "on", "true", "yes", "1", "off", "false", "no", "0" };
  char *word = g_strstrip (g_strdup (text));
  gboolean found = FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (words) && !found; i++)
    if (strcmp (word, words[i]) == 0)
      {
        *ret = i < G_N_ELEMENTS (words) / 2;
        found = TRUE;
      }
  g_free (word);
  return found || fail (error, BN_UNITS_ERROR_NUMBER, text, "is neither on nor off");
}
