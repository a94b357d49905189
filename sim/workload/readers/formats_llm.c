/* formats_llm.c: traces of requests to language models.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Columns and units are those that the publishers' own pages state.
 */
#include "trace_format.h"

static gboolean
looks_like_windows (char *const *f, guint n)
{
  double value;

  return n == 6 && (*f[3] == '\0' || g_ascii_isalpha (*f[3])) && bn_scan_real (f[0], &value)
         && bn_scan_real (f[1], &value) && bn_scan_real (f[2], &value) && bn_scan_real (f[4], &value)
         && bn_scan_real (f[5], &value);
}

const BnTraceFormat bn_formats_llm[] = {
  {
    .name = "azure-llm",
    .summary = "Azure LLM inference traces of 2023, 2024 and 2025 (multimodal)",
    .quirks = "7 digits of a second; with or without a zone",
    .separator = ',',
    .needs = { "TIMESTAMP", "ContextTokens", "GeneratedTokens" },
    .time = "TIMESTAMP",
    .time_unit_ns = BN_UNIT_DATE,
  },
  {
    .name = "vidur",
    .summary = "requests as vidur, splitwise-sim and sarathi-serve process them",
    .separator = ',',
    .needs = { "arrived_at", "num_prefill_tokens", "num_decode_tokens" },
    .time = "arrived_at",
    .time_unit_ns = BN_NS_PER_S,
  },
  {
    .name = "qwen-bailian",
    .summary = "Qwen-Bailian chat traces of Alibaba Cloud",
    .quirks = "fractions of a second, where Mooncake has milliseconds",
    .json = BN_JSON_LINES,
    .needs = { "chat_id", "timestamp", "input_length", "output_length" },
    .names = { "chat_id", "parent_chat_id", "timestamp", "input_length", "output_length", "type", "turn" },
    .time = "timestamp",
    .time_unit_ns = BN_NS_PER_S,
  },
  {
    .name = "mooncake",
    .summary = "Mooncake traces (FAST 2025)",
    .quirks = "most rows share their time with the row before: their order is that of the file",
    .json = BN_JSON_LINES,
    .needs = { "timestamp", "input_length", "output_length", "hash_ids" },
    .names = { "timestamp", "input_length", "output_length" },
    .time = "timestamp",
    .time_unit_ns = BN_NS_PER_MS,
  },
  {
    .name = "aibrix",
    .summary = "workloads of the AIBrix generators",
    .quirks = "several requests a line, all of its time; a line without any is none",
    .json = BN_JSON_LINES,
    .each = "requests",
    .needs = { "timestamp", "requests" },
    .names = { "timestamp", "Prompt Length", "Output Length", "Model", "Session ID" },
    .time = "timestamp",
    .time_unit_ns = BN_NS_PER_MS,
  },
  {
    .name = "burstgpt",
    .summary = "BurstGPT traces, with and without sessions",
    .quirks = "blanks in names; columns by name, as versions insert some",
    .separator = ',',
    .needs = { "Timestamp", "Model", "Request tokens", "Response tokens" },
    .time = "Timestamp",
    .time_unit_ns = BN_NS_PER_S,
  },
  {
    .name = "servegen",
    .summary = "ServeGen windows of rates of one client: arrivals are drawn from them",
    .quirks = "no header; idle windows without a pattern; gaps are gamma whatever the pattern",
    .separator = ',',
    .headless = TRUE,
    .names = { "window", "rate", "cv", "pattern", "p1", "p2" },
    .looks = looks_like_windows,
    .windows = TRUE,
    .time = "window",
    .time_unit_ns = BN_NS_PER_S,
  },
  { 0 },
};
