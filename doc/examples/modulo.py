#!/usr/bin/env python3
"""modulo.py: places task t of job j on worker (j + t) mod n of those whose memory holds its model.

Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0

A scheduler for `binnacle compare demo --scheduler 'exec:./doc/examples/modulo.py, hash[modulo]'`:
both lines of the table are the same. doc/exec-protocol.md has the messages.
"""
import json
import sys


def say(message):
    print(json.dumps(message), flush=True)


def fitting(cluster, task):
    if task["model"] is None:
        return list(range(len(cluster["workers"])))
    size = cluster["models"][task["model"]]["bytes"]
    types = cluster["gpu_types"]
    return [w for w, worker in enumerate(cluster["workers"]) if size <= types[worker["gpu_type"]]["memory_bytes"]]


homes = []
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say({"protocol": 1, "hooks": ["plan"], "flags": []})
    elif message["type"] == "cluster":
        homes = [[fitting(message, task) for task in flow["tasks"]] for flow in message["workflows"]]
    elif message["type"] == "plan":
        job, workers = message["job"], homes[message["workflow"]]
        say({"place": [[t, w[(job + t) % len(w)]] for t, w in enumerate(workers)]})
