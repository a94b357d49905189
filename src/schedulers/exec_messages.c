/* exec_messages.c: what is said to a scheduler in another process.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "exec_messages.h"

#include <inttypes.h>
#include <string.h>

static void
append_integer (GString *out, const char *before, int64_t value)
{
  g_string_append_printf (out, "%s%" PRId64, before, value);
}

/* null where there is none. */
static void
append_index (GString *out, const char *before, int32_t value)
{
  if (value == BN_NONE)
    g_string_append_printf (out, "%snull", before);
  else
    append_integer (out, before, value);
}

static void
append_text (GString *out, const char *before, const char *text)
{
  g_string_append_printf (out, "%s\"", before);
  for (const char *c = text; *c != '\0'; c++)
    if (*c == '"' || *c == '\\')
      g_string_append_printf (out, "\\%c", *c);
    else if ((guchar) *c < ' ')
      g_string_append_printf (out, "\\u%04x", (guchar) *c);
    else
      g_string_append_c (out, *c);
  g_string_append_c (out, '"');
}

void
bn_exec_say_hello (GString *out, uint64_t seed, const char *const *settings)
{
  const char *before = "";

  /* every reader of JSON keeps 53 bits of a number */
  g_string_append_printf (out, "{\"type\":\"hello\",\"protocol\":%d,\"seed\":%" PRIu64 ",\"parameters\":{",
                          BN_EXEC_PROTOCOL, seed >> 11);
  for (guint i = 0; settings != NULL && settings[i] != NULL; i++)
    {
      const char *value = strchr (settings[i], '=') + 1;
      g_autofree char *name = g_strndup (settings[i], (gsize) (value - 1 - settings[i]));
      append_text (out, before, name);
      append_text (out, ":", value);
      before = ",";
    }
  g_string_append (out, "}}\n");
}

static void
append_types (GString *out, const BnPlatform *platform)
{
  g_string_append (out, ",\"gpu_types\":[");
  for (uint32_t g = 0; g < platform->n_types; g++)
    {
      append_text (out, g > 0 ? ",{\"name\":" : "{\"name\":", platform->types[g].name);
      append_integer (out, ",\"memory_bytes\":", platform->types[g].memory_bytes);
      append_integer (out, ",\"slots\":", platform->types[g].slots);
      g_string_append_c (out, '}');
    }
  g_string_append (out, "],\"workers\":[");
  for (uint32_t w = 0; w < platform->n_workers; w++)
    {
      append_integer (out, w > 0 ? ",{\"gpu_type\":" : "{\"gpu_type\":", platform->workers[w].type);
      append_integer (out, ",\"server\":", platform->workers[w].server);
      g_string_append_c (out, '}');
    }
  g_string_append_c (out, ']');
}

static void
append_models (GString *out, const BnCatalogue *catalogue, const BnCost *cost)
{
  g_string_append (out, ",\"models\":[");
  for (uint32_t m = 0; m < catalogue->n_models; m++)
    {
      append_text (out, m > 0 ? ",{\"name\":" : "{\"name\":", catalogue->models[m].name);
      append_integer (out, ",\"bytes\":", catalogue->models[m].size_bytes);
      for (uint32_t g = 0; g < cost->platform->n_types; g++)
        append_integer (out, g > 0 ? "," : ",\"load_ns\":[", cost->load_ns[(uint64_t) g * cost->n_models + m]);
      g_string_append (out, "]}");
    }
  g_string_append_c (out, ']');
}

static void
append_task (GString *out, const BnWorkflow *wf, uint32_t t, const BnCost *cost)
{
  const BnTaskSpec *spec = &wf->tasks[t];

  append_text (out, t > 0 ? ",{\"label\":" : "{\"label\":", spec->label);
  append_index (out, ",\"model\":", spec->model);
  append_integer (out, ",\"input_bytes\":", spec->input_bytes);
  append_integer (out, ",\"output_bytes\":", spec->output_bytes);
  g_string_append (out, ",\"predecessors\":[");
  for (uint32_t p = 0; p < spec->n_preds; p++)
    append_integer (out, p > 0 ? "," : "", spec->preds[p]);
  g_string_append_c (out, ']');
  for (uint32_t g = 0; g < cost->platform->n_types; g++)
    append_integer (out, g > 0 ? "," : ",\"runtime_ns\":[",
                    cost->runtime_ns[(uint64_t) g * cost->n_tasks + wf->first_task + t]);
  g_string_append (out, "]}");
}

void
bn_exec_say_cluster (GString *out, const BnSchedSetup *setup)
{
  g_string_append (out, "{\"type\":\"cluster\"");
  append_types (out, setup->platform);
  append_models (out, setup->catalogue, setup->cost);
  g_string_append (out, ",\"workflows\":[");
  for (uint32_t w = 0; w < setup->catalogue->n_workflows; w++)
    {
      const BnWorkflow *wf = &setup->catalogue->workflows[w];
      append_text (out, w > 0 ? ",{\"name\":" : "{\"name\":", wf->name);
      g_string_append (out, ",\"tasks\":[");
      for (uint32_t t = 0; t < wf->n_tasks; t++)
        append_task (out, wf, t, setup->cost);
      g_string_append (out, "]}");
    }
  g_string_append (out, "]}\n");
}

void
bn_exec_mirror_init (BnExecMirror *mirror, const BnSchedSetup *setup)
{
  uint32_t n = setup->platform->n_workers;

  *mirror = (BnExecMirror) { n, setup->catalogue->n_models, (n + 63) / 64, g_new0 (BnDuration, n), g_new0 (BnTime, n),
                             g_new0 (uint64_t, (gsize) setup->catalogue->n_models * ((n + 63) / 64) + 1),
                             g_new0 (uint8_t, n) };
}

void
bn_exec_mirror_clear (BnExecMirror *mirror)
{
  g_free (mirror->queued_ns);
  g_free (mirror->busy_until_ns);
  g_free (mirror->holders);
  g_free (mirror->changed);
}

/* Marks the workers whose cache is another; whole words that are the same are passed over. */
static void
mark_caches (BnExecMirror *mirror, const BnView *view)
{
  for (uint64_t i = 0; i < (uint64_t) mirror->n_models * mirror->holder_words; i++)
    {
      uint64_t differ = mirror->holders[i] ^ view->holders[i];
      mirror->holders[i] = view->holders[i];
      for (; differ != 0; differ &= differ - 1)
        mirror->changed[i % mirror->holder_words * 64 + (uint64_t) __builtin_ctzll (differ)] = 1;
    }
}

static void
append_held (GString *out, const BnExecMirror *mirror, const BnView *view, uint32_t w)
{
  const char *before = "";

  g_string_append (out, ",\"models\":[");
  for (uint32_t m = 0; m < mirror->n_models; m++)
    if (bn_view_holds (view, w, m))
      {
        append_integer (out, before, m);
        before = ",";
      }
  g_string_append_c (out, ']');
}

static void
append_row (GString *out, const BnExecMirror *mirror, const BnView *view, uint32_t w, gboolean loads)
{
  append_integer (out, "{\"worker\":", w);
  if (loads)
    {
      append_integer (out, ",\"queued_ns\":", view->queued_ns[w]);
      append_integer (out, ",\"busy_until_ns\":", view->busy_until_ns[w]);
    }
  if (mirror->changed[w])
    append_held (out, mirror, view, w);
  g_string_append_c (out, '}');
}

/* Rows that are not as the child knows them. */
static void
append_rows (GString *out, const BnView *view, uint32_t flags, BnExecMirror *mirror)
{
  const char *before = "";

  g_string_append (out, ",\"rows\":[");
  if (flags & BN_SCHED_READS_CACHES)
    mark_caches (mirror, view);
  for (uint32_t w = 0; w < mirror->n_workers; w++)
    {
      gboolean loads = flags & BN_SCHED_READS_LOADS
                       && (view->queued_ns[w] != mirror->queued_ns[w] || view->busy_until_ns[w] != mirror->busy_until_ns[w]);
      if (!loads && !mirror->changed[w])
        continue;
      g_string_append (out, before);
      append_row (out, mirror, view, w, loads);
      before = ",";
      mirror->queued_ns[w] = view->queued_ns[w];
      mirror->busy_until_ns[w] = view->busy_until_ns[w];
      mirror->changed[w] = 0;
    }
  g_string_append_c (out, ']');
}

void
bn_exec_ask (GString *out, const BnExecQuestion *q, uint32_t flags, BnExecMirror *mirror)
{
  g_string_append (out, q->task == BN_NONE ? "{\"type\":\"plan\"" : "{\"type\":\"place\"");
  append_integer (out, ",\"now_ns\":", q->now);
  append_index (out, ",\"observer\":", q->observer);
  append_integer (out, ",\"job\":", q->job->id);
  append_integer (out, ",\"workflow\":", q->job->workflow->index);
  append_index (out, ",\"ingress\":", q->job->ingress);
  if (q->job->deadline_ns == BN_TIME_NEVER)
    g_string_append (out, ",\"deadline_ns\":null");
  else
    append_integer (out, ",\"deadline_ns\":", q->job->deadline_ns);
  if (q->task != BN_NONE)
    {
      append_integer (out, ",\"task\":", q->task);
      append_index (out, ",\"at_worker\":", q->at_worker);
      for (uint32_t t = 0; t < q->job->workflow->n_tasks; t++)
        append_index (out, t > 0 ? "," : ",\"placed\":[", q->job->tasks[t].worker);
      g_string_append_c (out, ']');
    }
  append_rows (out, q->view, flags, mirror);
  g_string_append (out, "}\n");
}

void
bn_exec_say_notice (GString *out, const BnNotice *notice)
{
  static const char *const types[] = { "job-ended", "task-finished", "worker-down" };

  append_text (out, "{\"type\":", types[notice->kind]);
  append_integer (out, ",\"now_ns\":", notice->now);
  append_index (out, ",\"observer\":", notice->observer);
  if (notice->kind != BN_NOTICE_WORKER_DOWN)
    {
      append_integer (out, ",\"job\":", notice->job);
      append_integer (out, ",\"workflow\":", notice->workflow);
    }
  if (notice->kind == BN_NOTICE_TASK_FINISHED)
    append_integer (out, ",\"task\":", notice->task);
  if (notice->kind == BN_NOTICE_JOB_ENDED)
    append_text (out, ",\"outcome\":", bn_job_state_name (notice->state));
  else
    append_integer (out, ",\"worker\":", notice->worker);
  if (notice->kind != BN_NOTICE_WORKER_DOWN)
    append_integer (out, ",\"took_ns\":", notice->took_ns);
  g_string_append (out, "}\n");
}
