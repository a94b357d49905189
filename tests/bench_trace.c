/* bench_trace.c: rows a second that imports of traces read.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Made-up rows in the form of public traces, in a temporary file: read through the whole
 * import, from open to the last row. Prints one JSON line a case: rows a second, median of
 * repetitions. The file is in the page cache.
 */
#include <stdlib.h>

#include <gio/gio.h>

#include "bench.h"
#include "trace_import.h"

typedef struct Case
{
  const char *name;
  const char *header;
  void (*add_row) (GString *text, int64_t i);
  int64_t n_rows;
  gboolean packed, sort;
} Case;

static void
add_azure (GString *text, int64_t i)
{
  g_string_append_printf (text, "2023-11-16 %02d:%02d:%02d.%07d,%d,%d\r\n", (int) (i / 360000 % 24),
                          (int) (i / 6000 % 60), (int) (i / 100 % 60), (int) (i % 100) * 99991, (int) (i * 7919 % 7437),
                          (int) (i * 31 % 1899));
}

static void
add_pod (GString *text, int64_t i)
{
  g_string_append_printf (text, "\"openb-pod-%d\",\"%d\",\"%d\",\"1\",\"%d\",\"V100M16|V100M32\",\"LS\",\"Running\","
                          "\"%d\",\"%d\",\"%d\"\n", (int) i, (int) (i * 7 % 32000), (int) (i * 13 % 65536), (int) (i % 1000),
                          (int) i, (int) i + 500, (int) i + 1);
}

static void
add_unsorted_pod (GString *text, int64_t i)
{
  add_pod (text, i * 48271 % 2147483647 % 1000000);
}

static void
add_mooncake (GString *text, int64_t i)
{
  g_string_append_printf (text, "{\"timestamp\": %d, \"input_length\": %d, \"output_length\": %d, \"hash_ids\": [0",
                          (int) i, (int) (i * 7919 % 20000), (int) (i * 31 % 1899));
  for (int k = 1; k < 26; k++)
    g_string_append_printf (text, ", %d", (int) i + k);
  g_string_append (text, "]}\n");
}

#define PODS \
  "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time\n"
#define AZURE "TIMESTAMP,ContextTokens,GeneratedTokens\r\n"

static const Case cases[] = {
  { "azure-llm", AZURE, add_azure, 2000000, FALSE, FALSE },
  { "azure-llm-gz", AZURE, add_azure, 2000000, TRUE, FALSE },
  { "quoted-pods", PODS, add_pod, 1000000, FALSE, FALSE },
  { "quoted-pods-gz", PODS, add_pod, 1000000, TRUE, FALSE },
  { "quoted-pods-sort", PODS, add_unsorted_pod, 1000000, FALSE, TRUE },
  { "mooncake", "", add_mooncake, 200000, FALSE, FALSE },
};

static void
write_case (const void *data, const char *path)
{
  const Case *c = data;
  GString *text = g_string_new (c->header);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFileOutputStream) plain = g_file_replace (file, NULL, FALSE, G_FILE_CREATE_NONE, NULL, NULL);
  g_autoptr (GZlibCompressor) packer = g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP, 6);
  g_autoptr (GOutputStream) packed = g_converter_output_stream_new (G_OUTPUT_STREAM (plain), G_CONVERTER (packer));
  GOutputStream *out = c->packed ? packed : G_OUTPUT_STREAM (plain);

  for (int64_t i = 0; i < c->n_rows; i++)
    c->add_row (text, i);
  if (!g_output_stream_write_all (out, text->str, text->len, NULL, NULL, NULL)
      || !g_output_stream_close (out, NULL, NULL))
    g_error ("%s: cannot be written", path);
  g_string_free (text, TRUE);
}

/* Rows a second. */
static double
read_once (const void *data, const char *path)
{
  const Case *c = data;
  BnImportOptions options = BN_IMPORT_ALL;
  GError *error = NULL;
  BnImportRow row;
  BnRowStatus status;
  int64_t n_rows = 0;
  gint64 began_us = g_get_monotonic_time ();

  options.sort = c->sort;
  BnTraceImport *import = bn_trace_import_open (path, &options, &error);
  if (import == NULL)
    g_error ("%s", error->message);
  while ((status = bn_trace_import_next (import, &row, &error)) == BN_ROW)
    n_rows++;
  if (status != BN_ROW_END || n_rows != c->n_rows)
    g_error ("%s", error != NULL ? error->message : "not all rows were read");
  bn_trace_import_close (import);
  return (double) n_rows * G_USEC_PER_SEC / (double) (g_get_monotonic_time () - began_us);
}

int
main (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    bn_bench_file ("trace", cases[i].name, "rows", write_case, read_once, &cases[i]);
  return EXIT_SUCCESS;
}
