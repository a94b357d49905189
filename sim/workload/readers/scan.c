/* scan.c: numbers and dates of traces, fast.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "scan.h"

#include "units.h"

#define NS_PER_DAY (INT64_C (86400) * BN_NS_PER_S)

/* As many digits as an int64 has room for. */
#define MAX_DIGITS 18

static const int64_t powers_of_10[] = {
  INT64_C (1), INT64_C (10), INT64_C (100), INT64_C (1000), INT64_C (10000), INT64_C (100000), INT64_C (1000000),
  INT64_C (10000000), INT64_C (100000000), INT64_C (1000000000), INT64_C (10000000000), INT64_C (100000000000),
  INT64_C (1000000000000), INT64_C (10000000000000), INT64_C (100000000000000), INT64_C (1000000000000000),
  INT64_C (10000000000000000), INT64_C (100000000000000000), INT64_C (1000000000000000000),
};

/* Digits at *at, at most MAX_DIGITS, and how many there were. */
static inline int64_t
scan_digits (const char **at, int *n)
{
  const char *begin = *at;
  int64_t value = 0;

  while (g_ascii_isdigit (**at) && *at - begin < MAX_DIGITS)
    value = value * 10 + (*(*at)++ - '0');
  *n = (int) (*at - begin);
  return value;
}

gboolean
bn_scan_time (const char *text, BnDuration unit_ns, BnTime *ret)
{
  gboolean negative = *text == '-';
  const char *at = text + negative;
  int n_whole, n_fraction = 0;
  int64_t whole = scan_digits (&at, &n_whole), fraction = 0, ns, part_ns;

  if (*at == '.')
    {
      at++;
      fraction = scan_digits (&at, &n_fraction);
    }
  if (*at == '\0' && n_whole + n_fraction > 0)
    {
      part_ns = bn_muldiv_round (fraction, unit_ns, powers_of_10[n_fraction]);
      if (__builtin_mul_overflow (whole, unit_ns, &ns) || __builtin_add_overflow (ns, part_ns, &ns))
        return FALSE;
    }
  else if (!bn_parse_scaled (text + negative, unit_ns, &ns, NULL)) /* exponents, more digits */
    return FALSE;
  *ret = negative ? -ns : ns;
  return TRUE;
}

gboolean
bn_scan_real (const char *text, double *ret)
{
  const char *at = text + (*text == '-');
  int n;
  int64_t value = scan_digits (&at, &n);

  if (*at != '\0' || n == 0 || n > 15)
    return bn_parse_real (text, ret, NULL);
  *ret = (double) (*text == '-' ? -value : value);
  return TRUE;
}

/* Exactly `n` digits and then `end`, unless that is '\0'. */
static inline gboolean
scan_part (const char **at, int n, char end, int64_t *ret)
{
  int64_t value = 0;

  for (; n > 0; n--, (*at)++)
    {
      if (!g_ascii_isdigit (**at))
        return FALSE;
      value = value * 10 + (**at - '0');
    }
  *ret = value;
  return end == '\0' || *(*at)++ == end;
}

/* Days since 1970 of a day of the Gregorian calendar; years begin in March, so that the
 * leap day is the last. */
static int64_t
day_number (int64_t year, int64_t month, int64_t day)
{
  int64_t y = month <= 2 ? year - 1 : year, m = month <= 2 ? month + 9 : month - 3;

  return 365 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day - 1 - 719468;
}

/* `Z`, `+00:00`, `+0000` or nothing, to the end. */
static gboolean
scan_zone (const char *at, BnDuration *ret)
{
  gboolean west = *at == '-';
  int64_t hours, minutes;

  *ret = 0;
  if (*at == '\0' || (*at == 'Z' && at[1] == '\0'))
    return TRUE;
  if (*at++ != '+' && !west)
    return FALSE;
  if (!scan_part (&at, 2, '\0', &hours))
    return FALSE;
  at += *at == ':';
  if (!scan_part (&at, 2, '\0', &minutes) || *at != '\0' || hours > 23 || minutes > 59)
    return FALSE;
  *ret = (west ? -1 : 1) * (hours * 60 + minutes) * 60 * BN_NS_PER_S;
  return TRUE;
}

gboolean
bn_scan_date (const char *text, BnTime *ret)
{
  const char *at = text;
  int64_t year, month, day, hour, minute, second, fraction = 0;
  BnDuration zone_ns;
  int n = 0;

  if (!scan_part (&at, 4, '-', &year) || !scan_part (&at, 2, '-', &month) || !scan_part (&at, 2, '\0', &day)
      || (*at != ' ' && *at != 'T'))
    return FALSE;
  at++;
  if (!scan_part (&at, 2, ':', &hour) || !scan_part (&at, 2, ':', &minute) || !scan_part (&at, 2, '\0', &second))
    return FALSE;
  if (*at == '.')
    {
      at++;
      fraction = scan_digits (&at, &n);
      if (n == 0)
        return FALSE;
      while (g_ascii_isdigit (*at))
        at++;
    }
  if (!scan_zone (at, &zone_ns) || year < 1910 || year > 2199 || month < 1 || month > 12 || day < 1
      || day > g_date_get_days_in_month ((GDateMonth) month, (GDateYear) year) || hour > 23 || minute > 59
      || second > 60)
    return FALSE;
  *ret = day_number (year, month, day) * NS_PER_DAY + ((hour * 60 + minute) * 60 + second) * BN_NS_PER_S
         + bn_muldiv_round (fraction, BN_NS_PER_S, powers_of_10[n]) - zone_ns;
  return TRUE;
}
