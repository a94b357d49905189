/* fuzz_trace.c: any bytes at all, given to the import of traces.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * The first byte says how the rest is read: as what format, sorted or not, whether it goes on after
 * malformed rows. Whatever is read, times are on the clock and an error is one line of UTF-8. For
 * libFuzzer, and for fuzz_replay.c, which gives it files.
 */
#include <string.h>
#include <unistd.h>

#include "fuzz.h"
#include "trace_import.h"

static const char *const maps[] = { "time=t:s", "time=t:date,unknown=0", "time=2:ms,header=no,separator=blank",
                                    "time=1:s,duration=2:h,header=no,separator=tab",
                                    "time=t:us,start=t,end=x,separator=semicolon" };

static void
add_format (const BnTraceFormat *format, gpointer formats)
{
  g_ptr_array_add (formats, (gpointer) format);
}

/* All that may be named. */
static GPtrArray *
all_formats (void)
{
  GPtrArray *formats = g_ptr_array_new ();

  bn_trace_formats_foreach (add_format, formats);
  return formats;
}

const char **
bn_fuzz_readers (void)
{
  GPtrArray *formats = all_formats ();

  for (guint i = 0; i < formats->len; i++)
    formats->pdata[i] = (gpointer) ((const BnTraceFormat *) formats->pdata[i])->name;
  g_ptr_array_add (formats, NULL);
  return (const char **) g_ptr_array_free (formats, FALSE);
}

/* Each format, each map, and what the content says; four ways each. */
guint
bn_fuzz_n_modes (void)
{
  g_autoptr (GPtrArray) formats = all_formats ();

  return 4 * (formats->len + G_N_ELEMENTS (maps) + 1);
}

static void
read_all (const char *path, const BnImportOptions *options)
{
  GError *error = NULL;
  BnImportRow row;
  BnRowStatus status = BN_ROW_ERROR;
  BnTime last_ns = 0;
  BnTraceImport *import = bn_trace_import_open (path, options, &error);
  guint n_columns = import == NULL ? 0 : g_strv_length ((char **) bn_trace_import_columns (import));

  bn_fuzz_check ((import == NULL) == (error != NULL));
  while (import != NULL && (status = bn_trace_import_next (import, &row, &error)) == BN_ROW)
    {
      bn_fuzz_check (row.time_ns >= last_ns && row.time_ns < BN_TIME_NEVER / 2 && row.duration_ns >= -1);
      last_ns = row.time_ns;
      for (guint i = 0; i < n_columns; i++)
        bn_fuzz_check (row.fields[i] != NULL);
    }
  bn_fuzz_check_error (status != BN_ROW_END, &error);
  bn_trace_import_close (import);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  BnImportOptions options = BN_IMPORT_ALL;
  const BnTraceFormat *format = NULL;
  g_autoptr (GPtrArray) formats = all_formats ();
  int fd;

  if (size == 0)
    return 0;
  guint mode = data[0] % bn_fuzz_n_modes (), how = bn_fuzz_only () != G_MAXUINT ? bn_fuzz_only () : mode / 4;
  options.keep_going = mode & 2;
  options.limit = 10000; /* a few bytes of rates are any number of arrivals */
  if (how < formats->len)
    format = formats->pdata[how];
  else if (how < formats->len + G_N_ELEMENTS (maps))
    options.map = maps[how - formats->len];
  if (format != NULL)
    options.format = format->name;
  /* sorting reads all first, and rates or numbers of arrivals, which the content may be, are any number of them */
  options.sort = (mode & 1) && (options.map != NULL || (format != NULL && !format->windows && format->counts == NULL));
  g_autofree char *path = bn_fuzz_file (data + 1, size - 1, &fd);
  read_all (path, &options);
  close (fd);
  return 0;
}
