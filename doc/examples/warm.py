#!/usr/bin/env python3
"""warm.py: places a ready task where it could start first, its model's load counted in, as warm.c does.

Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0

A scheduler for `binnacle compare demo --scheduler 'compass, exec:./doc/examples/warm.py[param.spread=2]'`.
It keeps what rows have told of each worker, and has a parameter. doc/exec-protocol.md has the messages.
"""
import json
import sys


def say(message):
    print(json.dumps(message), flush=True)


def start(row, question, load, grace):
    free = max(row["busy_until_ns"], question["now_ns"]) + row["queued_ns"]
    return load + (question["now_ns"] if free <= question["now_ns"] + grace else free)


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        spread = int(message["parameters"].get("spread", 0))
        say({"protocol": 1, "hooks": ["place"], "flags": ["loads", "caches"]})
    elif message["type"] == "cluster":
        cluster, types = message, [worker["gpu_type"] for worker in message["workers"]]
        rows = [{"queued_ns": 0, "busy_until_ns": 0, "models": []} for _ in types]
    elif message["type"] == "place":
        for row in message["rows"]:
            rows[row["worker"]].update(row)  # a row may tell of the queue alone, or of the models alone
        task = cluster["workflows"][message["workflow"]]["tasks"][message["task"]]
        starts = []
        for worker, of in enumerate(types):
            load = 0
            if task["model"] is not None:
                model = cluster["models"][task["model"]]
                if model["bytes"] > cluster["gpu_types"][of]["memory_bytes"]:
                    continue
                load = 0 if task["model"] in rows[worker]["models"] else model["load_ns"][of]
            starts.append((start(rows[worker], message, load, spread * task["runtime_ns"][of]), worker))
        say({"place": [[message["task"], min(starts)[1]]]})
