/* formats_other.c: files that are published beside traces and hold no arrivals.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * They are read to be named for what they are, with their number of rows.
 */
#include "trace_format.h"

static gboolean
looks_like_machine (char *const *f, guint n)
{
  double value;

  return n == 5 && !bn_scan_real (f[0], &value) && !bn_scan_real (f[1], &value) && bn_scan_real (f[2], &value)
         && bn_scan_real (f[3], &value) && bn_scan_real (f[4], &value);
}

const BnTraceFormat bn_formats_other[] = {
  {
    .name = "openb-nodes",
    .what = "machines of the Alibaba GPU trace of 2023",
    .separator = ',',
    .needs = { "sn", "cpu_milli", "memory_mib", "gpu", "model" },
  },
  {
    .name = "openb-pods-without-times",
    .what = "pods of the Alibaba GPU trace of 2023 without their times",
    .separator = ',',
    .needs = { "name", "cpu_milli", "memory_mib", "num_gpu", "gpu_milli" },
  },
  {
    .name = "pai-machines",
    .what = "machines of the Alibaba GPU trace of 2020",
    .separator = ',',
    .headless = TRUE,
    .names = { "machine", "gpu_type", "cap_cpu", "cap_mem", "cap_gpu" },
    .looks = looks_like_machine,
  },
  {
    .name = "pai-minibatch",
    .what = "mini-batch times of one job of the Alibaba GPU trace of 2020",
    .separator = ',',
    .needs = { "worker", "gpu", "time", "batch_time_norm" },
  },
  {
    .name = "request-lengths",
    .what = "lengths of requests without their times",
    .separator = ',',
    .needs = { "num_prefill_tokens", "num_decode_tokens" },
  },
  {
    .name = "dag-distributions",
    .what = "points of distributions of the width, depth and size of function DAGs",
    .separator = ',',
    .needs = { "Width", "WidthPercentile", "Depth", "DepthPercentile" },
  },
  {
    .name = "bitbrains",
    .what = "samples of one virtual machine's usage (Bitbrains)",
    .separator = ';',
    .needs = { "Timestamp [ms]", "CPU cores", "CPU usage [%]" },
  },
  { 0 },
};
