/* textout.c: fields of CSV and JSON, written the same everywhere.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "textout.h"

#include <string.h>

void
bn_write_csv (FILE *file, const char *text)
{
  if (text == NULL)
    return;
  if (text[strcspn (text, ",\"\r\n")] == '\0')
    {
      fputs (text, file);
      return;
    }
  putc ('"', file);
  for (; *text != '\0'; text++)
    {
      if (*text == '"')
        putc ('"', file);
      putc (*text, file);
    }
  putc ('"', file);
}

void
bn_write_json (FILE *file, const char *text)
{
  if (text == NULL)
    {
      fputs ("null", file);
      return;
    }
  putc ('"', file);
  for (; *text != '\0'; text++)
    {
      unsigned char c = (unsigned char) *text;

      if (c == '"' || c == '\\')
        fprintf (file, "\\%c", c);
      else if (c < 0x20)
        fprintf (file, "\\u%04x", c);
      else
        putc (c, file);
    }
  putc ('"', file);
}

/* ns / unit with as many decimals as unit has zeros; the smallest int64 has no
 * positive counterpart, so the work is done without a sign. */
static void
write_scaled (FILE *file, int64_t ns, uint64_t unit, int decimals)
{
  uint64_t size = ns < 0 ? 0 - (uint64_t) ns : (uint64_t) ns, whole = size / unit, part = size % unit;
  char text[32], *at = text + sizeof text;

  /* digits by hand, from the last one: with printf trace convert takes 1.5 times as long */
  for (int i = 0; i < decimals; i++, part /= 10)
    *--at = (char) ('0' + part % 10);
  *--at = '.';
  do
    *--at = (char) ('0' + whole % 10);
  while ((whole /= 10) > 0);
  if (ns < 0)
    *--at = '-';
  fwrite (at, 1, (size_t) (text + sizeof text - at), file);
}

void
bn_write_us (FILE *file, int64_t ns)
{
  write_scaled (file, ns, 1000, 3);
}

void
bn_write_s (FILE *file, int64_t ns)
{
  write_scaled (file, ns, 1000000000, 9);
}

void
bn_write_ms (FILE *file, int64_t ns)
{
  int64_t us = ns / 1000 + (ns % 1000 >= 500 ? 1 : 0) - (ns % 1000 < -500 ? 1 : 0);

  write_scaled (file, us, 1000, 3);
}

void
bn_write_exact_ms (FILE *file, int64_t ns)
{
  write_scaled (file, ns, 1000000, 6);
}
