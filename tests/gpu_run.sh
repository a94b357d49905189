#!/bin/sh
# gpu_run.sh: tests/gpu/run on this machine's GPU; skipped, never passed, where there is none.
# Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
exec "$BN_SRCDIR/tests/gpu/run"
