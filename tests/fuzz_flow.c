/* fuzz_flow.c: any bytes at all, given to the readers of workflows.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * The first byte says which reader, or that the content does. Whatever is read can be drawn and read again as the
 * same, and made into a catalogue that is read; an error is one line of UTF-8. For libFuzzer, and for fuzz_replay.c,
 * which gives it files.
 */
#include <string.h>
#include <unistd.h>

#include "catalogue.h"
#include "flow_formats.h"
#include "flow_text.h"
#include "fuzz.h"

const char **
bn_fuzz_readers (void)
{
  GPtrArray *names = g_ptr_array_new ();

  for (guint i = 0; bn_flow_formats[i] != NULL; i++)
    g_ptr_array_add (names, (gpointer) bn_flow_formats[i]->name);
  g_ptr_array_add (names, NULL);
  return (const char **) g_ptr_array_free (names, FALSE);
}

/* Each reader, and what the content says. */
guint
bn_fuzz_n_modes (void)
{
  guint n = 0;

  while (bn_flow_formats[n] != NULL)
    n++;
  return n + 1;
}

static void
check_drawn (const BnFlow *flow)
{
  GError *error = NULL;
  const BnFlowRules none = { -1, -1, 1, NULL, -1 };
  g_autofree char *text = bn_flow_dot_text (flow, &none);
  BnFlow *again = bn_flow_new ("again");

  bn_fuzz_check (bn_flow_dot.read (again, text, strlen (text), "drawn", &error)
                 && bn_flow_finish (again, "drawn", &error));
  bn_fuzz_check (again->tasks->len == flow->tasks->len && again->n_edges == flow->n_edges
                 && strcmp (again->name, flow->name) == 0);
  for (guint t = 0; t < flow->tasks->len; t++)
    {
      const BnFlowTask *a = g_ptr_array_index (flow->tasks, t), *b = g_ptr_array_index (again->tasks, t);
      bn_fuzz_check (strcmp (a->id, b->id) == 0 && strcmp (a->name, b->name) == 0 && a->runtime_ns == b->runtime_ns
                      && (a->n_unsized_outputs > 0 || a->output_bytes == b->output_bytes));
    }
  bn_flow_free (again);
}

/* A catalogue that states less than the reader of catalogues allows is read as it stands. */
static void
check_catalogue (const BnFlow *flow)
{
  const BnFlowRules rules = { BN_NS_PER_S, 1000, 1, "by-name", 1000000 };
  GError *error = NULL;
  g_autofree char *text = bn_flow_catalogue (flow, "a file", "a format", &rules, &error);

  bn_fuzz_check (text != NULL);
  BnCatalogue *catalogue = bn_catalogue_parse (text, strlen (text), "made", INT64_MAX, &error);
  if (catalogue != NULL)
    bn_fuzz_check (catalogue->n_workflows == 1 && catalogue->workflows[0].n_tasks == flow->tasks->len);
  bn_fuzz_check_error (catalogue == NULL, &error);
  bn_catalogue_free (catalogue);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  GError *error = NULL;
  const char *name;
  int fd;

  if (size == 0)
    return 0;
  guint how = bn_fuzz_only () != G_MAXUINT ? bn_fuzz_only () : data[0] % bn_fuzz_n_modes ();
  g_autofree char *path = bn_fuzz_file (data + 1, size - 1, &fd);
  BnFlow *flow = bn_flow_read (path, bn_flow_formats[how] != NULL ? bn_flow_formats[how]->name : NULL, &name, &error);
  bn_fuzz_check_error (flow == NULL, &error);
  if (flow != NULL)
    {
      check_drawn (flow);
      check_catalogue (flow);
    }
  bn_flow_free (flow);
  close (fd);
  return 0;
}
