/* formats_cluster.c: traces of jobs, pods, virtual machines and functions.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Columns and units are those that the publishers' own pages state.
 */
#include "trace_format.h"

#include <string.h>

static gboolean
is_number (const char *text)
{
  double value;

  return bn_scan_real (text, &value);
}

static gboolean
is_number_or_empty (const char *text)
{
  return *text == '\0' || is_number (text);
}

static gboolean
is_state (const char *text)
{
  static const char *const states[]
      = { "Running", "Terminated", "Failed", "Waiting", "Interrupted", "Ready", "Cancelled", NULL };

  return g_strv_contains (states, text);
}

static gboolean
looks_like_pai_job (char *const *f, guint n)
{
  return n == 6 && is_state (f[3]) && is_number_or_empty (f[4]) && is_number_or_empty (f[5]);
}

static gboolean
looks_like_pai_task (char *const *f, guint n)
{
  return n == 10 && is_state (f[3]) && is_number_or_empty (f[4]) && is_number_or_empty (f[5]);
}

static gboolean
looks_like_batch_task (char *const *f, guint n)
{
  return n == 9 && is_state (f[4]) && is_number_or_empty (f[5]) && is_number_or_empty (f[6]);
}

static gboolean
looks_like_vm (char *const *f, guint n)
{
  return n == 11 && is_number (f[3]) && is_number (f[4]) && is_number (f[5]) && !is_number (f[8]);
}

static gboolean
looks_like_gavel (char *const *f, guint n)
{
  return n == 7 && is_number (f[4]) && is_number (f[5]) && is_number (f[6]);
}

static gboolean
looks_like_gavel_10 (char *const *f, guint n)
{
  return n == 10 && is_number (f[5]) && is_number (f[6]) && is_number (f[9]);
}

/* Digits only, a bracket before them aside. */
static gboolean
is_count (const char *text)
{
  text += *text == '[';
  return *text != '\0' && text[strspn (text, "0123456789")] == '\0';
}

/* Many numbers in one line, which is longer than what is seen of it: the last one may be cut. */
static gboolean
looks_like_counts (char *const *f, guint n)
{
  for (guint i = 0; i + 1 < n; i++)
    if (!is_count (f[i]))
      return FALSE;
  return n >= 24;
}

static gboolean
looks_like_count_list (char *const *f, guint n)
{
  return n > 0 && f[0][0] == '[' && looks_like_counts (f, n);
}

static gboolean
looks_like_swf (char *const *f, guint n)
{
  for (guint i = 0; i < n; i++)
    if (!is_number (f[i]))
      return FALSE;
  return n == 18;
}

const BnTraceFormat bn_formats_cluster[] = {
  {
    .name = "azure-functions-2021",
    .summary = "Azure Functions invocations of 2021",
    .quirks = "the time is that of the end: arrival = end - duration",
    .separator = ',',
    .needs = { "app", "func", "end_timestamp", "duration" },
    .time = "end_timestamp",
    .time_unit_ns = BN_NS_PER_S,
    .time_is_end = TRUE,
    .duration = "duration",
    .duration_unit_ns = BN_NS_PER_S,
  },
  {
    .name = "azure-functions-2019",
    .summary = "Azure Functions invocations of 2019: a function's number in each minute of a day",
    .quirks = "arrivals are drawn within the minute; a function a row, so not in order of time",
    .separator = ',',
    .needs = { "HashApp", "HashFunction", "Trigger", "1", "1440" },
    .counts = "1",
    .time = "minute",
    .time_unit_ns = 60 * BN_NS_PER_S,
  },
  {
    .name = "request-rates",
    .summary = "numbers of requests, one for each second, parted by blanks",
    .quirks = "one long line; arrivals are drawn within the second",
    .separator = ' ',
    .headless = TRUE,
    .names = { "second" },
    .looks = looks_like_counts,
    .counts = "",
    .time = "second",
    .time_unit_ns = BN_NS_PER_S,
  },
  {
    .name = "request-rates-list",
    .summary = "the same as a list: [3, 0, 2]",
    .quirks = "as request-rates",
    .separator = ',',
    .headless = TRUE,
    .names = { "second" },
    .looks = looks_like_count_list,
    .counts = "",
    .time = "second",
    .time_unit_ns = BN_NS_PER_S,
  },
  {
    .name = "azure-vm",
    .summary = "Azure virtual machines, V1 of 2017",
    .quirks = "no header",
    .separator = ',',
    .headless = TRUE,
    .names = { "vm", "subscription", "deployment", "created", "deleted", "max_cpu", "avg_cpu", "p95_max_cpu",
               "category", "cores", "memory_gb" },
    .looks = looks_like_vm,
    .time = "created",
    .time_unit_ns = BN_NS_PER_S,
    .start = "created",
    .end = "deleted",
  },
  {
    .name = "alibaba-v2018",
    .summary = "Alibaba cluster trace of 2018, table batch_task",
    .quirks = "no header; a start of 0 or none is not known",
    .separator = ',',
    .headless = TRUE,
    .names = { "task_name", "instance_num", "job_name", "task_type", "status", "start_time", "end_time", "plan_cpu",
               "plan_mem" },
    .looks = looks_like_batch_task,
    .time = "start_time",
    .time_unit_ns = BN_NS_PER_S,
    .start = "start_time",
    .end = "end_time",
    .unknown = { "0" },
  },
  {
    .name = "alibaba-v2020-job",
    .summary = "Alibaba GPU trace of 2020 (PAI), table of jobs",
    .quirks = "no header; jobs that never started have no time",
    .separator = ',',
    .headless = TRUE,
    .names = { "job_name", "inst_id", "user", "status", "start_time", "end_time" },
    .looks = looks_like_pai_job,
    .time = "start_time",
    .time_unit_ns = BN_NS_PER_S,
    .start = "start_time",
    .end = "end_time",
  },
  {
    .name = "alibaba-v2020-task",
    .summary = "Alibaba GPU trace of 2020 (PAI), table of tasks",
    .quirks = "no header; tasks that never started have no time",
    .separator = ',',
    .headless = TRUE,
    .names = { "job_name", "task_name", "inst_num", "status", "start_time", "end_time", "plan_cpu", "plan_mem",
               "plan_gpu", "gpu_type" },
    .looks = looks_like_pai_task,
    .time = "start_time",
    .time_unit_ns = BN_NS_PER_S,
    .start = "start_time",
    .end = "end_time",
  },
  {
    .name = "alibaba-v2023",
    .summary = "Alibaba GPU trace of 2023 (openb), pods",
    .quirks = "pods that were never scheduled have no duration; some files are not in order of time",
    .separator = ',',
    .needs = { "name", "cpu_milli", "memory_mib", "num_gpu", "creation_time", "deletion_time", "scheduled_time" },
    .time = "creation_time",
    .time_unit_ns = BN_NS_PER_S,
    .start = "scheduled_time",
    .end = "deletion_time",
  },
  {
    .name = "alibaba-v2025",
    .summary = "Alibaba GPU trace of 2025 (DLRM), instances",
    .quirks = "instances from before the trace have no time; fractions; not in order of time",
    .separator = ',',
    .needs = { "gpu_request", "max_instance_per_node", "creation_time", "scheduled_time", "deletion_time" },
    .time = "creation_time",
    .time_unit_ns = BN_NS_PER_S,
    .start = "scheduled_time",
    .end = "deletion_time",
  },
  {
    .name = "alibaba-genai-v2026",
    .summary = "Alibaba generative AI requests of 2026",
    .quirks = "whole seconds: many rows share a time; 0.0 of a pending one is no duration",
    .separator = ',',
    .needs = { "gmt_create", "predict_type", "predict_status", "exec_time_seconds" },
    .time = "gmt_create",
    .time_unit_ns = BN_UNIT_DATE,
    .duration = "exec_time_seconds",
    .duration_unit_ns = BN_NS_PER_S,
    .unknown = { "0.0" },
  },
  {
    .name = "alibaba-spot-v2026",
    .summary = "Alibaba spot GPU jobs of 2026",
    .separator = ',',
    .needs = { "job_name", "gpu_model", "worker_num", "submit_time", "duration" },
    .time = "submit_time",
    .time_unit_ns = BN_NS_PER_S,
    .duration = "duration",
    .duration_unit_ns = BN_NS_PER_S,
  },
  {
    .name = "helios",
    .summary = "Helios jobs (SenseTime), and those of Philly and Acme in the same form",
    .quirks = "CPU jobs have no GPU; with or without vc, and with or without a zone; None says nothing",
    .separator = ',',
    .needs = { "job_id", "gpu_num", "state", "submit_time", "start_time", "end_time", "duration" },
    .unknown = { "None" },
    .time = "submit_time",
    .time_unit_ns = BN_UNIT_DATE,
    .duration = "duration",
    .duration_unit_ns = BN_NS_PER_S,
  },
  {
    .name = "philly",
    .summary = "Philly jobs (Microsoft), cluster_job_log",
    .quirks = "an array; None says nothing; the duration is from the first attempt's start to the last one's end",
    .json = BN_JSON_ARRAY,
    .needs = { "jobid", "submitted_time", "attempts" },
    .names = { "status", "vc", "jobid", "user", "submitted_time", "attempts.0.start_time", "attempts.-1.end_time" },
    .time = "submitted_time",
    .time_unit_ns = BN_UNIT_DATE,
    .start = "attempts.0.start_time",
    .end = "attempts.-1.end_time",
    .unknown = { "None" },
  },
  {
    .name = "borg-2019",
    .summary = "Google Borg, 2019: extracts of instance events",
    .quirks = "a row is an event; 0 is before the trace, 2^63-1 after it; fields with commas and line ends; not in order",
    .separator = ',',
    .needs = { "time", "collection_id", "instance_index", "resource_request" },
    .time = "time",
    .time_unit_ns = BN_NS_PER_US,
    .start = "start_time",
    .end = "end_time",
    .unknown = { "0", "9223372036854775807" },
  },
  {
    .name = "elasticflow-philly",
    .summary = "Philly jobs as ElasticFlow processes them",
    .separator = ',',
    .needs = { "job_id", "submit_time", "model_name", "ddl", "num_gpu", "duration" },
    .time = "submit_time",
    .time_unit_ns = BN_NS_PER_S,
    .duration = "duration",
    .duration_unit_ns = BN_NS_PER_S,
  },
  {
    .name = "gavel",
    .summary = "Gavel jobs, 7 fields",
    .quirks = "no header; commands with blanks and commas in fields",
    .separator = '\t',
    .headless = TRUE,
    .names = { "job_type", "command", "steps_argument", "needs_data_dir", "total_steps", "arrival", "num_gpu" },
    .looks = looks_like_gavel,
    .time = "arrival",
    .time_unit_ns = BN_NS_PER_S,
  },
  {
    .name = "gavel-10",
    .summary = "Gavel jobs, 10 fields",
    .quirks = "no header; the arrival is the last field",
    .separator = '\t',
    .headless = TRUE,
    .names = { "job_type", "command", "directory", "steps_argument", "needs_data_dir", "total_steps", "num_gpu",
               "priority", "slo", "arrival" },
    .looks = looks_like_gavel_10,
    .time = "arrival",
    .time_unit_ns = BN_NS_PER_S,
  },
  {
    .name = "swf",
    .summary = "Standard Workload Format of the Parallel Workloads Archive",
    .quirks = "counts in the header are not believed; -1 is unknown",
    .separator = ' ',
    .comment = ';',
    .headless = TRUE,
    .names = { "job", "submit", "wait", "run", "procs", "avg_cpu", "memory_kb", "req_procs", "req_time",
               "req_memory_kb", "status", "user", "group", "executable", "queue", "partition", "preceding", "think_time" },
    .looks = looks_like_swf,
    .time = "submit",
    .time_unit_ns = BN_NS_PER_S,
    .duration = "run",
    .duration_unit_ns = BN_NS_PER_S,
    .unknown = { "-1" },
  },
  {
    .name = "gwf",
    .summary = "Grid Workload Format of the Grid Workloads Archive",
    .quirks = "a row is a task; padded fields; not in order of time; -1 is unknown",
    .separator = ',',
    .needs = { "WorkflowID", "JobID", "SubmitTime", "RunTime", "NProcs" },
    .time = "SubmitTime",
    .time_unit_ns = BN_NS_PER_S,
    .duration = "RunTime",
    .duration_unit_ns = BN_NS_PER_S,
    .unknown = { "-1" },
  },
  {
    .name = "binnacle",
    .summary = "what binnacle trace convert writes",
    .separator = ',',
    .needs = { "arrival_ms" },
    .time = "arrival_ms",
    .time_unit_ns = BN_NS_PER_MS,
    .duration = "duration_ms",
    .duration_unit_ns = BN_NS_PER_MS,
  },
  { 0 },
};
