/* job.c: the states of jobs as words.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "job.h"

const char *
bn_job_state_name (BnJobState state)
{
  switch (state)
    {
    case BN_JOB_LIVE:
      return "live";
    case BN_JOB_DONE:
      return "done";
    case BN_JOB_REFUSED:
      return "refused";
    case BN_JOB_FAILED:
      return "failed";
    case BN_JOB_DROPPED:
      return "dropped";
    case BN_JOB_UNFINISHED:
      return "unfinished";
    }
  return "?";
}

const char *
bn_access_name (BnAccess access)
{
  switch (access)
    {
    case BN_ACCESS_NONE:
      return "none";
    case BN_ACCESS_HIT:
      return "hit";
    case BN_ACCESS_MISS:
      return "miss";
    case BN_ACCESS_JOINED:
      return "joined";
    }
  return "?";
}

const char *
bn_reason_name (BnReason reason)
{
  switch (reason)
    {
    case BN_REASON_NONE:
      return "none";
    case BN_REASON_MODEL_EXCEEDS_GPU:
      return "model-exceeds-gpu";
    case BN_REASON_NO_GPU_FITS:
      return "no-gpu-fits";
    case BN_REASON_NOT_PLACED:
      return "not-placed";
    case BN_REASON_BAD_WORKER:
      return "bad-worker";
    case BN_REASON_ATTEMPTS:
      return "attempts";
    case BN_REASON_DATA_LOST:
      return "data-lost";
    case BN_REASON_NO_WORKER_LEFT:
      return "no-worker-left";
    }
  return "?";
}
