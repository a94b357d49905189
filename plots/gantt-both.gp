# gantt-both.gp: what every worker did when, observed and simulated, one above the other.
# Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0

n_parts = 2
load scripts . "/gantt.gp"
