/* bench_flow.c: tasks a second that readers of workflows read.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * One workflow of 20,000 tasks, each with a file in, a file out and one or two predecessors, in each form: from the
 * file to a finished DAG. Prints one JSON line a case: tasks a second, median of repetitions. The file is in the page
 * cache.
 */
#include <stdlib.h>

#include "bench.h"
#include "flow_formats.h"

#define N_TASKS 20000

typedef struct Case
{
  const char *name, *begin, *between, *end;
  void (*add_task) (GString *text, int i);
} Case;

static void
add_dax (GString *text, int i)
{
  g_string_append_printf (text,
                          "  <job id=\"ID%05d\" namespace=\"n\" name=\"mProject\" version=\"3.0\" runtime=\"13.%02d\">\n"
                          "    <uses file=\"f%d\" link=\"input\" register=\"true\" transfer=\"true\" size=\"%d\"/>\n"
                          "    <uses file=\"f%d\" link=\"output\" register=\"false\" transfer=\"false\" size=\"4222080\"/>\n"
                          "  </job>\n",
                          i, i % 100, i / 2, i * 7, i + 1);
  if (i > 1)
    g_string_append_printf (text, "  <child ref=\"ID%05d\"><parent ref=\"ID%05d\"/><parent ref=\"ID%05d\"/></child>\n", i,
                            i / 2, MAX (i / 3, 1));
}

static void
add_wfformat (GString *text, int i)
{
  g_string_append_printf (text,
                          "{\"name\":\"mProject\",\"id\":\"ID%05d\",\"type\":\"compute\",\"runtimeInSeconds\":13.%02d,"
                          "\"parents\":[\"ID%05d\"],\"files\":[{\"link\":\"input\",\"name\":\"f%d\",\"sizeInBytes\":%d},"
                          "{\"link\":\"output\",\"name\":\"f%d\",\"sizeInBytes\":4222080}]}",
                          i, i % 100, i / 3, i / 2, i * 7, i + 1);
}

static void
add_hyperflow (GString *text, int i)
{
  g_string_append_printf (text,
                          "{\"name\":\"mProject\",\"function\":\"f\",\"type\":\"dataflow\",\"firingLimit\":1,"
                          "\"config\":{\"executor\":{\"executable\":\"mProject\",\"args\":[\"-X\",\"a_%d\"]}},"
                          "\"ins\":[\"f%d\"],\"outs\":[\"f%d\"]}",
                          i, i / 2, i + 1);
}

static void
add_dot (GString *text, int i)
{
  g_string_append_printf (text, "  \"ID%05d\" [label=\"mProject\", runtime=\"13.%02d\", size=\"%d\"];\n", i, i % 100, i * 7);
  if (i > 1)
    g_string_append_printf (text, "  \"ID%05d\" -> \"ID%05d\";\n", i / 2, i);
}

static const Case cases[] = {
  { "dax", "<?xml version=\"1.0\"?>\n<adag name=\"bench\" version=\"3.4\">\n", "", "</adag>\n", add_dax },
  { "wfformat", "{\"name\":\"bench\",\"schemaVersion\":\"1.4\",\"workflow\":{\"tasks\":[\n"
                "{\"name\":\"root\",\"id\":\"ID00000\",\"parents\":[]}", ",\n", "]}}\n", add_wfformat },
  { "hyperflow", "{\"name\":\"bench\",\"processes\":[\n{\"name\":\"root\",\"ins\":[],\"outs\":[\"f1\"]}", ",\n",
    "],\"ins\":[],\"outs\":[]}\n", add_hyperflow },
  { "dot", "digraph bench {\n", "", "}\n", add_dot },
};

static void
write_case (const void *data, const char *path)
{
  const Case *c = data;
  g_autoptr (GString) text = g_string_new (c->begin);

  for (int i = 1; i < N_TASKS; i++)
    {
      g_string_append (text, c->between);
      c->add_task (text, i);
    }
  g_string_append (text, c->end);
  if (!g_file_set_contents (path, text->str, (gssize) text->len, NULL))
    g_error ("%s: cannot be written", path);
}

/* Tasks a second. */
static double
read_once (const void *data, const char *path)
{
  const Case *c = data;
  GError *error = NULL;
  const char *format;
  gint64 began_us = g_get_monotonic_time ();
  BnFlow *flow = bn_flow_read (path, NULL, &format, &error);

  if (flow == NULL || !g_str_equal (format, c->name) || flow->tasks->len + 1 < N_TASKS)
    g_error ("%s: %s", c->name, error != NULL ? error->message : "is not read as it was written");
  double rate = flow->tasks->len * (double) G_USEC_PER_SEC / (double) (g_get_monotonic_time () - began_us);
  bn_flow_free (flow);
  return rate;
}

int
main (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    bn_bench_file ("flow", cases[i].name, "tasks", write_case, read_once, &cases[i]);
  return EXIT_SUCCESS;
}
