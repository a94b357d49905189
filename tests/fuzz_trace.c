/* fuzz_trace.c: any bytes at all, given to the import of traces.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * The first byte says how the rest is read: what format, sorted or not, whether it goes on after
 * malformed rows. Whatever is read, times are on the clock and an error is one line of UTF-8. For
 * libFuzzer, and for fuzz_replay.c, which gives it files.
 */
#include "config.h" /* memfd_create is not in every C library */

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "trace_import.h"

static const char *const formats[] = { NULL,  "azure-llm", "mooncake", "alibaba-v2023", "swf",
                                       "gwf", "gavel",     "burstgpt", "servegen" };

static const char *const maps[] = { "time=t:s", "time=t:date,unknown=0", "time=2:ms,header=no,separator=blank",
                                    "time=1:s,duration=2:h,header=no,separator=tab",
                                    "time=t:us,start=t,end=x,separator=semicolon" };

const guint bn_fuzz_n_modes = 4 * (G_N_ELEMENTS (formats) + G_N_ELEMENTS (maps));

static void
check (gboolean holds)
{
  if (!holds)
    abort ();
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

  check ((import == NULL) == (error != NULL));
  while (import != NULL && (status = bn_trace_import_next (import, &row, &error)) == BN_ROW)
    {
      check (row.time_ns >= last_ns && row.time_ns < BN_TIME_NEVER / 2 && row.duration_ns >= -1);
      last_ns = row.time_ns;
      for (guint i = 0; i < n_columns; i++)
        check (row.fields[i] != NULL);
    }
  check ((status == BN_ROW_END) == (error == NULL));
  if (error != NULL)
    check (g_utf8_validate (error->message, -1, NULL) && strchr (error->message, '\n') == NULL);
  g_clear_error (&error);
  bn_trace_import_close (import);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  BnImportOptions options = BN_IMPORT_ALL;

  if (size == 0)
    return 0;
  guint mode = data[0] % bn_fuzz_n_modes, how = mode / 4;
  options.keep_going = mode & 2;
  options.limit = 10000; /* a few bytes of rates are any number of arrivals */
  if (how < G_N_ELEMENTS (formats))
    options.format = formats[how];
  else
    options.map = maps[how - G_N_ELEMENTS (formats)];
  /* sorting reads all first, and what is told from the content may be rates */
  options.sort = (mode & 1) && (options.map != NULL || g_strcmp0 (options.format, "azure-llm") == 0
                                || g_strcmp0 (options.format, "gwf") == 0);
  int fd = memfd_create ("trace", MFD_CLOEXEC);
  check (fd >= 0 && write (fd, data + 1, size - 1) == (gssize) size - 1);
  g_autofree char *path = g_strdup_printf ("/proc/self/fd/%d", fd);
  read_all (path, &options);
  close (fd);
  return 0;
}
