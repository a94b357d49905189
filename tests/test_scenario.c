/* test_scenario.c: scenarios are complete once read, overrides reach their key,
 * mistakes are named with file and line, and everything shipped loads.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <check.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "eviction.h"
#include "platform_build.h"
#include "queue_order.h"
#include "rng.h"
#include "scenario.h"
#include "suite.h"

#define CATALOGUE \
  "[model m]\nsize = 1GB\n[model big]\nsize = 3GB\n" \
  "[workflow w]\n[task w/0]\nmodel = m\ninput = 1kB\noutput = 1kB\nruntime = 100ms\n" \
  "[workflow v]\n[task v/0]\nmodel = big\ninput = 1kB\noutput = 1kB\nruntime = 300ms\n"
/* lines 1 to 7 */
#define MINIMAL "[servers]\ncount = 2\nmemory = 4GB\n[workload]\ncatalogue = c.ini\njobs = 10\nrate = 4/s\n"

static char *directory;
static char *path;

static char *
in_directory (const char *name)
{
  return g_build_filename (directory, name, NULL);
}

static void
write_file (const char *name, const char *text)
{
  char *file = in_directory (name);
  ck_assert (g_file_set_contents (file, text, -1, NULL));
  g_free (file);
}

static void
set_up (void)
{
  directory = g_dir_make_tmp ("bn-scenario-XXXXXX", NULL);
  path = in_directory ("s.ini");
  write_file ("c.ini", CATALOGUE);
}

static void
tear_down (void)
{
  static const char *const names[] = { "s.ini", "c.ini", "t.csv", "p.ini" };
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      char *file = in_directory (names[i]);
      g_unlink (file);
      g_free (file);
    }
  g_rmdir (directory);
  g_free (directory);
  g_free (path);
}

static BnScenario *
read_scenario (const char *text, const char *const *overrides)
{
  GError *error = NULL;
  write_file ("s.ini", text);
  BnScenario *s = bn_scenario_read (path, overrides, &error);
  ck_assert_msg (s != NULL, "%s", error == NULL ? "" : error->message);
  return s;
}

/* The message, with "DIR/" taken out wherever it stands. */
static void
assert_refused_with (const char *text, const char *const *overrides, const char *expected)
{
  GError *error = NULL;
  write_file ("s.ini", text);
  ck_assert_ptr_null (bn_scenario_read (path, overrides, &error));
  char *prefix = g_strconcat (directory, "/", NULL);
  char **parts = g_strsplit (error->message, prefix, -1);
  char *message = g_strjoinv ("", parts);
  ck_assert_str_eq (message, expected);
  ck_assert_ptr_null (strchr (message, '\n'));
  g_free (message);
  g_strfreev (parts);
  g_free (prefix);
  g_error_free (error);
}

static void
assert_refused (const char *text, const char *expected)
{
  assert_refused_with (text, NULL, expected);
}

static void
assert_override_refused (const char *override, const char *expected)
{
  assert_refused_with (MINIMAL, (const char *const[]) { override, NULL }, expected);
}

START_TEST (what_is_left_out_has_the_published_constants)
{
  BnScenario *s = read_scenario (MINIMAL, NULL);
  const BnGpuType *gpu = &s->platform->types[0];
  BnNetwork network = bn_network_default ();
  ck_assert_str_eq (s->name, "s");
  ck_assert_uint_eq (s->platform->n_workers, 2);
  ck_assert_int_eq (gpu->memory_bytes, INT64_C (4000000000));
  ck_assert_int_eq (gpu->speed_ppm, BN_PPM_ONE);
  ck_assert_int_eq (gpu->pcie_bytes_per_s, INT64_C (10171226000));
  ck_assert_int_eq (gpu->pcie_latency_ns, 0);
  ck_assert_uint_eq (gpu->slots, 1);
  ck_assert_str_eq (gpu->name, "servers");
  ck_assert_int_eq (s->platform->network.latency_ns, network.latency_ns);
  ck_assert_int_eq (s->platform->network.bytes_per_s, network.bytes_per_s);
  ck_assert_int_eq (s->platform->network.small_limit_bytes, network.small_limit_bytes);
  ck_assert_int_eq (s->platform->network.ramp_limit_bytes, network.ramp_limit_bytes);
  ck_assert_int_eq (s->platform->network.ramp_base_bytes_per_s, network.ramp_base_bytes_per_s);
  ck_assert_int_eq (s->platform->network.ramp_per_kb_bytes_per_s, network.ramp_per_kb_bytes_per_s);
  ck_assert_int_eq (s->arrivals.kind, BN_ARRIVALS_POISSON);
  ck_assert_int_eq (s->arrivals.max_jobs, 10);
  ck_assert_int_eq (s->arrivals.until_ns, BN_TIME_NEVER);
  ck_assert_uint_eq (s->arrivals.n_workers, 2);
  ck_assert_int_eq (s->noise.kind, BN_NOISE_CONSTANT);
  ck_assert_int_eq (s->record, BN_RECORD_SUMMARY);
  ck_assert_uint_eq (s->n_seeds, 1);
  ck_assert_uint_eq (s->n_variants, 1);
  ck_assert_str_eq (s->variants[0]->name, "compass");
  ck_assert_int_eq (s->variants[0]->options.load_spread.period_ns, 10 * BN_NS_PER_MS);
  /* 4 jobs a second of 0.2 s on two GPUs */
  ck_assert_double_eq_tol (s->offered_load, 0.4, 1e-12);
  bn_scenario_free (s);
}
END_TEST

START_TEST (every_section_reaches_its_place)
{
  BnScenario *s = read_scenario ("[scenario]\nname = mine\nseeds = 3 5..7\nrecord = tasks\nwarmup = 1min\n"
                                 "preload = m@0 big@* m@0\n"
                                 "[schedulers]\ncompare = jit, hash[random], mine: compass[evict=fifo]\n"
                                 "[servers slow]\ncount = 1\nmemory = 4GB\n[servers fast]\ncount = 2\ndevices = 2\n"
                                 "gpu = A10\nmemory = 5GB\nspeed = 2.5x\nslots = 2\npcie = 20GB/s\n"
                                 "pcie-latency = 10us\nidle-watts = 20\nactive-watts = 150.5\nprice = 0.75\n"
                                 "[network]\nlatency = 5us\n"
                                 "[options]\nqueue = srpt\nevict = lru\nload-staleness = interval:20ms\n"
                                 "[workload]\ncatalogue = c.ini\nmix = v:3\narrivals = gamma\ncv = 2\n"
                                 "rate = 120/min\nuntil = 1h\nnoise = lognormal\nnoise-cv = 0.5\n"
                                 "noise-visible = on\n",
                                 NULL);
  ck_assert_str_eq (s->name, "mine");
  ck_assert_uint_eq (s->n_seeds, 4);
  ck_assert_uint_eq (s->seeds[0], 3);
  ck_assert_uint_eq (s->seeds[3], 7);
  ck_assert_int_eq (s->record, BN_RECORD_TASKS);
  ck_assert_int_eq (s->warmup_ns, 60 * BN_NS_PER_S);
  ck_assert_uint_eq (s->platform->n_workers, 5);
  ck_assert_uint_eq (s->platform->n_servers, 3);
  const BnGpuType *fast = bn_platform_gpu (s->platform, 4);
  ck_assert_str_eq (fast->name, "A10");
  ck_assert_str_eq (fast->group, "fast");
  ck_assert_int_eq (fast->speed_ppm, 2500000);
  ck_assert_uint_eq (fast->slots, 2);
  ck_assert_int_eq (fast->pcie_bytes_per_s, INT64_C (20000000000));
  ck_assert_int_eq (fast->pcie_latency_ns, 10000);
  ck_assert_double_eq (fast->active_watts, 150.5);
  ck_assert_double_eq (fast->price_per_hour, 0.75);
  ck_assert_int_eq (s->platform->network.latency_ns, 5000);
  ck_assert_uint_eq (s->n_preloads, 6);
  ck_assert_uint_eq (s->preloads[0].worker, 0);
  ck_assert_uint_eq (s->preloads[5].worker, 4);
  ck_assert_uint_eq (s->preloads[5].model, 1);
  ck_assert_uint_eq (s->n_variants, 3);
  ck_assert_str_eq (s->variants[1]->name, "hash[random]");
  ck_assert_str_eq (s->variants[2]->name, "mine");
  ck_assert_str_eq (bn_queue_orders[s->variants[0]->options.queue_order].name, "srpt");
  ck_assert_str_eq (bn_evictions[s->variants[0]->options.eviction].name, "lru");
  ck_assert_str_eq (bn_evictions[s->variants[2]->options.eviction].name, "fifo");
  ck_assert_int_eq (s->variants[0]->options.load_spread.mode, BN_SPREAD_INTERVAL);
  ck_assert_int_eq (s->arrivals.kind, BN_ARRIVALS_GAMMA);
  ck_assert_double_eq (s->arrivals.rate_per_s, 2);
  ck_assert_double_eq (s->arrivals.cv, 2);
  ck_assert_double_eq (s->arrivals.weights[0], 0);
  ck_assert_double_eq (s->arrivals.weights[1], 3);
  ck_assert_int_eq (s->arrivals.max_jobs, INT64_MAX);
  ck_assert_int_eq (s->arrivals.until_ns, 3600 * BN_NS_PER_S);
  ck_assert_int_eq (s->noise.kind, BN_NOISE_LOGNORMAL);
  ck_assert_double_eq (s->noise.cv, 0.5);
  ck_assert (s->noise.visible);
  /* 2/s * 0.3 s / (1 + 4 GPUs * 2 slots * 2.5) */
  ck_assert_double_eq_tol (s->offered_load, 0.6 / 21, 1e-12);
  bn_scenario_free (s);
}
END_TEST

START_TEST (speed_stretches_all_times_of_the_arrivals)
{
  static const char timed[] = "[scenario]\nwarmup = 1s\n[servers]\nmemory = 4GB\n[workload]\ncatalogue = c.ini\n"
                              "rate = 4/s\nuntil = 30s\nspeed = 0.1\n";
  static const char traced[] = "[servers]\nmemory = 4GB\n[workload]\ncatalogue = c.ini\narrivals = trace\n"
                               "trace = t.csv\ntime-column = t\nuntil = 25ms\nspeed = 0.5\n";
  BnScenario *s = read_scenario (timed, NULL), *plain = read_scenario (timed, (const char *const[]) {
                                                  "workload.speed=1", NULL });

  ck_assert_double_eq (s->arrivals.rate_per_s, 0.4);
  ck_assert_int_eq (s->arrivals.until_ns, 300 * BN_NS_PER_S);
  ck_assert_int_eq (s->warmup_ns, 10 * BN_NS_PER_S);
  ck_assert_double_eq_tol (s->offered_load, plain->offered_load / 10, 1e-12);
  bn_scenario_free (plain);
  bn_scenario_free (s);
  write_file ("t.csv", "t\n10\n20\n30\n");
  s = read_scenario (traced, NULL);
  ck_assert_int_eq (s->trace.n_rows, 2);
  ck_assert_int_eq (s->trace.first_ns, 20 * BN_NS_PER_MS);
  ck_assert_int_eq (s->trace.last_ns, 40 * BN_NS_PER_MS);
  bn_scenario_free (s);
  /* a load is asked for at speed 1 */
  s = read_scenario (MINIMAL, (const char *const[]) { "workload.load=0.4", "workload.speed=0.5", NULL });
  ck_assert_double_eq_tol (s->offered_load, 0.2, 1e-12);
  bn_scenario_free (s);
}
END_TEST

START_TEST (scale_shrinks_models_and_memory_alike)
{
  BnScenario *s = read_scenario (MINIMAL, (const char *const[]) { "workload.scale=0.001x", NULL });

  ck_assert_int_eq (s->catalogue->models[1].size_bytes, 3000000);
  ck_assert_int_eq (s->platform->types[0].memory_bytes, 4000000);
  ck_assert_int_eq (s->catalogue->workflows[0].tasks[0].runtime_ns, 100 * BN_NS_PER_US);
  ck_assert_int_eq (s->platform->types[0].pcie_bytes_per_s, INT64_C (10171226000));
  /* 4/s of 0.2 ms on 2 GPUs */
  ck_assert_double_eq_tol (s->offered_load, 4 * 0.0002 / 2, 1e-12);
  bn_scenario_free (s);
  assert_refused_with (MINIMAL, (const char *const[]) { "servers.memory=2GB", "workload.scale=0.001x", NULL },
                       "c.ini:4: model 'big' (3GB) is larger than every GPU (2GB) and used by [task v/0]; give a"
                       " server group more memory");
}
END_TEST

#define PROFILE \
  "[profile]\nbackend = cpu\nscale = 1x\nload-latency = 20us\nload-rate = 5GB/s\nevict-latency = 3us\n" \
  "evict-rate = 0\nnetwork-latency = 9us\nnetwork-rate = 4GB/s\nlaunch = 8us\n" \
  "wake-up = 30us\ntimer = 50us\ndecision = 2us\nprocessors = 2\nloop = 0\nsteal = 0\nrun-beside-load = 1\nrun-beside-evict = 1\n" \
  "load-beside-run = 1\nevict-beside-run = 1\n" \
  "contention = 1, 0.9\n[task w/0]\nruntime = 90ms\ncv = 0.02\ncold = 95ms\n"

START_TEST (a_profile_lies_over_runtimes_loads_and_noise)
{
  write_file ("p.ini", PROFILE "[task v/0]\nruntime = 330ms\ncv = 0\ncold = 320ms\n");
  BnScenario *s = read_scenario (MINIMAL "profile = p.ini\nnoise = exponential\n", NULL);
  const BnTaskSpec *task = &s->catalogue->workflows[0].tasks[0];

  ck_assert_int_eq (task->runtime_ns, 90 * BN_NS_PER_MS);
  ck_assert_int_eq (task->work_ns, 100 * BN_NS_PER_MS);
  ck_assert_int_eq (s->platform->types[0].pcie_latency_ns, 20000);
  ck_assert_int_eq (s->platform->types[0].speed_ppm, BN_PPM_ONE);
  ck_assert_double_eq (s->noise.task_cv[0], 0.02);
  ck_assert_ptr_eq (s->backend_settings.measured, &s->measured);
  ck_assert_int_eq (s->measured.cold_ns[0], 5 * BN_NS_PER_MS);
  ck_assert_int_eq (s->measured.cold_ns[1], -10 * BN_NS_PER_MS);
  ck_assert_uint_eq (s->measured.n_speeds, 2);
  bn_scenario_free (s);
  write_file ("p.ini", PROFILE);
  assert_refused_with (MINIMAL "profile = p.ini\n", NULL,
                       "p.ini: does not know task v/0; calibrate with the catalogue that is run");
  assert_refused_with (MINIMAL "profile = p.ini\nscale = 0.5x\n", NULL,
                       "p.ini: was measured at scale 1x and the scenario has 0.5x; calibrate at the same scale");
  assert_refused_with (MINIMAL "profile = none.ini\n", NULL,
                       "none.ini: cannot read this profile: Failed to open file “none.ini”: No such file or directory;"
                       " make one with binnacle calibrate");
}
END_TEST

START_TEST (a_real_backend_records_tasks_and_has_no_noise)
{
  BnScenario *s = read_scenario (MINIMAL "noise = exponential\n", (const char *const[]) { "backend.name=cpu", NULL });

  ck_assert (bn_scenario_is_real (s));
  ck_assert_int_eq (s->record, BN_RECORD_TASKS);
  ck_assert_ptr_nonnull (strstr (s->text, "scenario.record = tasks\n"));
  ck_assert_int_eq (s->noise.kind, BN_NOISE_CONSTANT);
  ck_assert_str_eq (s->remarks[0], "noise has no effect, as backend cpu really executes");
  bn_scenario_free (s);
  s = read_scenario (MINIMAL, (const char *const[]) { "backend.name=cpu", "scenario.record=jobs", NULL });
  ck_assert_int_eq (s->record, BN_RECORD_JOBS);
  ck_assert_ptr_null (s->remarks[0]);
  bn_scenario_free (s);
  s = read_scenario (MINIMAL, NULL);
  ck_assert (!bn_scenario_is_real (s));
  ck_assert_int_eq (s->record, BN_RECORD_SUMMARY);
  bn_scenario_free (s);
}
END_TEST

START_TEST (overrides_are_applied_in_order)
{
  BnScenario *s = read_scenario (MINIMAL, (const char *const[]) { "servers.count=7", "workload.rate = 14/s",
                                                                  "schedulers.compare=jit[queue=srpt], hash",
                                                                  "servers.count=8", "options.reserve=own", NULL });
  ck_assert_uint_eq (s->platform->n_workers, 8);
  ck_assert_double_eq (s->arrivals.rate_per_s, 14);
  ck_assert_uint_eq (s->n_variants, 2);
  ck_assert_str_eq (s->variants[0]->name, "jit[queue=srpt]");
  ck_assert_int_eq (s->variants[1]->options.reserve, BN_RESERVE_OWN);
  bn_scenario_free (s);
  s = read_scenario ("[servers a]\n[servers b]\n[workload]\ncatalogue = c.ini\njobs = 1\n",
                     (const char *const[]) { "servers.b.count=3", NULL });
  ck_assert_uint_eq (s->platform->types[0].n_workers, 1);
  ck_assert_uint_eq (s->platform->types[1].n_workers, 3);
  bn_scenario_free (s);
}
END_TEST

START_TEST (the_text_is_canonical_and_the_hash_follows_it_and_the_catalogue)
{
  BnScenario *a = read_scenario (MINIMAL, NULL);
  BnScenario *b = read_scenario ("# other words, same meaning\n[workload]\nrate = 240/min\njobs = 10\n"
                                 "catalogue = c.ini\nnoise=constant\n[servers]\nmemory = 4000MB\ncount = 2\n",
                                 NULL);
  BnScenario *c = read_scenario (MINIMAL, (const char *const[]) { "workload.rate=5/s", NULL });
  ck_assert_str_eq (a->text, b->text);
  ck_assert_str_eq (a->sha256, b->sha256);
  ck_assert_str_ne (a->sha256, c->sha256);
  ck_assert_ptr_nonnull (strstr (a->text, "\nservers.memory = 4GB\n"));
  ck_assert_ptr_nonnull (strstr (a->text, "\nworkload.rate = 4/s\n"));
  ck_assert_ptr_nonnull (strstr (a->text, "\noptions.load-staleness = 10ms\n"));
  write_file ("c.ini", CATALOGUE "# a comment is enough\n");
  BnScenario *d = read_scenario (MINIMAL, NULL);
  ck_assert_str_eq (a->text, d->text);
  ck_assert_str_ne (a->sha256, d->sha256);
  bn_scenario_free (a);
  bn_scenario_free (b);
  bn_scenario_free (c);
  bn_scenario_free (d);
}
END_TEST

/* Every key at once: the text of one scenario, given as overrides to another,
 * gives the same text. */
START_TEST (the_canonical_text_reads_back_to_itself)
{
  BnScenario *a = read_scenario (MINIMAL, (const char *const[]) { "options.cache-staleness=interval:3ms",
                                                                  "servers.speed=0.3x", "workload.rate=0.1/s",
                                                                  NULL });
  char *text = g_strchomp (g_strdup (a->text)), **lines = g_strsplit (text, "\n", -1);
  ck_assert_uint_gt (g_strv_length (lines), 45);
  BnScenario *b = NULL;
  GPtrArray *overrides = g_ptr_array_new ();
  for (guint i = 0; lines[i] != NULL; i++)
    {
      /* a path in an override is relative to the working directory */
      if (g_str_has_prefix (lines[i], "workload.catalogue"))
        continue;
      g_ptr_array_add (overrides, lines[i]);
    }
  g_ptr_array_add (overrides, NULL);
  b = read_scenario ("[servers]\n[workload]\ncatalogue = c.ini\n", (const char *const *) overrides->pdata);
  ck_assert_str_eq (a->text, b->text);
  g_ptr_array_unref (overrides);
  g_strfreev (lines);
  g_free (text);
  bn_scenario_free (a);
  bn_scenario_free (b);
}
END_TEST

/* Twice the rate for a quarter of the time: 1.25 times as many jobs. */
START_TEST (the_load_of_a_rate_that_changes_is_that_of_its_mean)
{
  static const char shaped[] = MINIMAL "rate-shape = spike\nspike-factor = 2\nspike-length = 1s\nspike-every = 4s\n";
  BnScenario *plain = read_scenario (MINIMAL, NULL), *s = read_scenario (shaped, NULL);

  ck_assert_double_eq (s->arrivals.rate_per_s, plain->arrivals.rate_per_s);
  ck_assert_double_eq_tol (s->offered_load, 1.25 * plain->offered_load, 1e-12);
  ck_assert_uint_eq (g_strv_length (s->remarks), 1);
  bn_scenario_free (s);
  s = read_scenario (shaped, (const char *const[]) { "workload.load=0.4", "workload.speed=0.5", NULL });
  ck_assert_double_eq_tol (s->offered_load, 0.2, 1e-12);
  ck_assert_int_eq (s->arrivals.shape.at_ns, 120 * BN_NS_PER_S);
  ck_assert_int_eq (s->arrivals.shape.length_ns, 2 * BN_NS_PER_S);
  ck_assert_int_eq (s->arrivals.shape.every_ns, 8 * BN_NS_PER_S);
  ck_assert_int_eq (s->arrivals.shape.period_ns, 48 * 3600 * BN_NS_PER_S);
  bn_scenario_free (s);
  s = read_scenario (shaped, (const char *const[]) { "workload.rate-shape=diurnal", NULL });
  ck_assert_double_eq_tol (s->offered_load, plain->offered_load, 1e-12);
  bn_scenario_free (s);
  bn_scenario_free (plain);
}
END_TEST

START_TEST (mistakes_in_keys_name_the_nearest_key)
{
  assert_refused (MINIMAL "rtae = 2/s\n",
                  "s.ini:8: 'rtae' is not a key of [workload] (did you mean 'rate'?); it knows catalogue, mix, "
                  "arrivals, rate, load, cv, autocorrelation, autocorr-decay, on, off, rate-shape, shape-amplitude, "
                  "shape-period, shape-phase, spike-at, spike-length, spike-every, spike-factor, trace, "
                  "trace-map, trace-sort, time-column, time-unit, time-scale, "
                  "workflow-column, workflow-map, runtime-factor, ingress-column, trace-resample, trace-block, jobs, until, noise, noise-cv, profile-error, "
                  "noise-visible, speed, scale, profile");
  assert_refused (MINIMAL "evict = fifo\n",
                  "s.ini:8: 'evict' is not a key of [workload] but of [options]; move it there");
  assert_refused (MINIMAL "[sceanrio]\n",
                  "s.ini:8: 'sceanrio' is not a section of a scenario (did you mean 'scenario'?); there are "
                  "scenario, schedulers, servers, network, workload, backend, options");
  assert_refused (MINIMAL "jobs = 5\n", "s.ini:8: key 'jobs' is there already, at line 6; remove one of the two");
  assert_refused ("[workload]\ncatalogue = c.ini\n",
                  "s.ini: has no servers; add a section [servers] with count = 5, say");
  assert_refused ("[servers a b]\n",
                  "s.ini:1: the name of a server group has at most 100 characters, without blanks . , =");
}
END_TEST

START_TEST (mistakes_in_values_name_line_and_key)
{
  assert_refused (MINIMAL "until = 5\n",
                  "s.ini:8: workload.until: '5' has no unit: a duration needs one of the units ns "
                  "us ms s min h, for example 10ms");
  assert_refused ("[servers]\ncount = -3\n", "s.ini:2: servers.count: '-3' is out of range; it may be 0 to 1000000");
  assert_refused ("[servers x]\ncount = 0\n",
                  "s.ini:2: servers.x.count: there is no server; give 1 or more, of one group at least");
  assert_refused ("[servers]\nspeed = 0x\n",
                  "s.ini:2: servers.speed: '0x' is out of range; it may be 0.001x to 1000x");
  assert_refused (MINIMAL "cv = NaN\n",
                  "s.ini:8: workload.cv: 'NaN' is not a plain decimal number, for example 1.5");
  assert_refused (MINIMAL "arrivals = posson\n", "s.ini:8: workload.arrivals: 'posson' is not one of "
                                                 "poisson|uniform|gamma|correlated|onoff|trace "
                                                 "(did you mean 'poisson'?)");
  char *evictions = g_strjoinv ("|", (char **) bn_eviction_names);
  char *orders = g_strjoinv ("|", (char **) bn_queue_order_names);
  char *evict = g_strdup_printf ("s.ini:9: options.evict: 'lur' is not one of %s (did you mean 'lru'?)", evictions);
  char *queue = g_strdup_printf ("s.ini:9: schedulers.compare: queue: 'x' is not one of %s", orders);
  assert_refused (MINIMAL "[options]\nevict = lur\n", evict);
  assert_refused (MINIMAL "[schedulers]\ncompare = jit[queue=x]\n", queue);
  g_free (evictions);
  g_free (orders);
  g_free (evict);
  g_free (queue);
  assert_refused (MINIMAL "[schedulers]\ncompare = jit, jit[queue=fifo]\n",
                  "s.ini:9: schedulers.compare: 'jit' is there twice; remove one or write LABEL: in front of it");
  assert_refused (MINIMAL "[schedulers]\ncompare =\n",
                  "s.ini:9: schedulers.compare: names no scheduler; write compass, jit, say");
  assert_refused (MINIMAL "[scenario]\nseeds = 1 2 1\n",
                  "s.ini:9: scenario.seeds: seed 1 is named twice; name it once");
  assert_refused (MINIMAL "[scenario]\nseeds = 5..1\n",
                  "s.ini:9: scenario.seeds: a range runs upwards, and there are at most 10000 seeds");
  assert_refused (MINIMAL "[scenario]\nseeds = -1\n",
                  "s.ini:9: scenario.seeds: a seed is 0 or more; write 1 2 3 or 1..10");
  assert_refused (MINIMAL "[scenario]\nseeds =\n", "s.ini:9: scenario.seeds: names no seed; write 1, say");
}
END_TEST

START_TEST (popularity_falls_with_a_power_of_the_rank)
{
  BnScenario *s = read_scenario (MINIMAL "mix = zipf( 2 )\n", NULL);
  ck_assert_double_eq (s->arrivals.weights[0], 1);
  ck_assert_double_eq_tol (s->arrivals.weights[1], 0.25, 1e-15);
  bn_scenario_free (s);
  s = read_scenario (MINIMAL "mix = zipf(0)\n", NULL);
  ck_assert_double_eq (s->arrivals.weights[1], 1);
  bn_scenario_free (s);
  static const char *const bad[] = { "zipf(11)", "zipf(-1)", "zipf(x)", "zipf()", "zipf(", "zipf(1", "zipf(1) w:2" };
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autofree char *text = g_strconcat (MINIMAL "mix = ", bad[i], "\n", NULL);
      g_autofree char *expected
        = g_strdup_printf ("s.ini:8: workload.mix: '%s' is no law of popularity; write zipf(S) alone, with S from 0 to"
                           " 10, as zipf(1.1)", bad[i]);
      assert_refused (text, expected);
    }
}
END_TEST

START_TEST (keys_that_do_not_fit_together_are_refused)
{
  assert_refused ("[servers]\n[workload]\ncatalogue = c.ini\n",
                  "s.ini: workload.jobs: arrivals would never end; set jobs = 1000, say, or until = 10min");
  assert_refused ("[servers]\nmemory = 2GB\n[workload]\ncatalogue = c.ini\njobs = 1\n",
                  "c.ini:4: model 'big' (3GB) is larger than every GPU (2GB) and used by [task v/0]; give a server "
                  "group more memory");
  assert_refused ("[servers a]\ncount=1000000\n[servers b]\n[workload]\ncatalogue = c.ini\njobs = 1\n",
                  "s.ini: servers.b.count: the cluster has more than 1000000 GPUs; take fewer servers or devices");
  assert_refused (MINIMAL "mix = w:1 u:2\n", "s.ini:8: workload.mix: 'u' is not a workflow of the catalogue; write "
                                             "WORKFLOW:WEIGHT");
  assert_refused (MINIMAL "mix = w:0\n",
                  "s.ini:8: workload.mix: every weight is 0; give a workflow a weight above 0");
  assert_refused (MINIMAL "mix = w:-1\n",
                  "s.ini:8: workload.mix: the weight of 'w' is out of range; it may be 0 to 1e9");
  assert_refused (MINIMAL "mix = w w:2\n", "s.ini:8: workload.mix: names 'w' twice; name it once");
  assert_refused (MINIMAL "arrivals = trace\n",
                  "s.ini: workload.trace: names no file; give the CSV of the arrivals");
  assert_refused (MINIMAL "[scenario]\npreload = big@0 m@0 big@2\n",
                  "s.ini:9: scenario.preload: there is no worker '2'; write 0 to 1 or *");
  assert_refused (MINIMAL "[scenario]\npreload = bg@0\n",
                  "s.ini:9: scenario.preload: 'bg' is not a model of the catalogue (did you mean 'big'?)");
  assert_refused ("[servers]\nmemory = 3GB\n[workload]\ncatalogue = c.ini\njobs = 1\n"
                  "[scenario]\npreload = m@* big@0\n",
                  "s.ini:7: scenario.preload: big does not fit worker 0, whose GPU holds 3GB; preload fewer models "
                  "there");
  assert_refused (MINIMAL "arrivals = onoff\non = 1us\noff = 1us\n",
                  "s.ini:9: workload.on: less than one job in 1000 bursts; make on and off longer or the rate "
                  "higher");
  assert_refused (MINIMAL "arrivals = correlated\ncv = 2\nautocorrelation = 0.9\nautocorr-decay = 0.5\n",
                  "s.ini:10: workload.autocorrelation: gaps of this cv and autocorr-decay can have -0.1871 to 0.3752; "
                  "choose one of these, or a decay nearer 1");
  assert_refused (MINIMAL "arrivals = trace\nrate-shape = diurnal\ntrace = t.csv\n",
                  "s.ini:9: workload.rate-shape: is for generated arrivals; a trace has a shape of its own: remove one "
                  "of the two");
  assert_refused (MINIMAL "rate-shape = spike\nspike-every = 10s\nspike-length = 10s\n",
                  "s.ini:9: workload.spike-every: a spike would begin before the last one is over; make it longer than "
                  "spike-length");
  assert_refused (MINIMAL "rate-shape = diurnal\nshape-amplitude = 1.5\n",
                  "s.ini:9: workload.shape-amplitude: '1.5' is out of range; it may be 0 to 1");
}
END_TEST

START_TEST (options_that_a_scheduler_does_not_heed_are_remarked)
{
  BnScenario *s = read_scenario (MINIMAL "[options]\nreserve = own\n[schedulers]\ncompare = compass[reserve=off], "
                                         "mine: random[load-staleness=1s,reserve=published], "
                                         "hash[cache-staleness=0], compass[cache-staleness=1s], round-robin, "
                                         "random[steal,load-staleness=1s], hash[evict=value,cache-staleness=0], "
                                         "random[redecide,reserve=off], compass[load=off,redecide,reserve=off]\n",
                                 NULL);
  ck_assert_uint_eq (g_strv_length (s->remarks), 4);
  ck_assert_str_eq (s->remarks[0], "mine: reserve has no effect, as random does not read loads");
  ck_assert_str_eq (s->remarks[1], "mine: load-staleness has no effect, as random does not read loads");
  ck_assert_str_eq (s->remarks[2],
                    "hash[cache-staleness=0]: cache-staleness has no effect, as hash does not read caches");
  ck_assert_str_eq (s->remarks[3], "compass[load=off,reserve=off,redecide]: reserve has no effect, as compass does "
                                   "not read loads");
  bn_scenario_free (s);
}
END_TEST

START_TEST (options_of_the_gpu_manager_that_exclude_each_other_are_remarked)
{
  BnScenario *s = read_scenario (MINIMAL "[schedulers]\ncompare = jit[proactive], jit[overlap=order,proactive], "
                                         "jit[prefetch=next], jit[prefetch=next,overlap=bypass]\n",
                                 NULL);
  ck_assert_uint_eq (g_strv_length (s->remarks), 2);
  ck_assert_str_eq (s->remarks[0], "jit[proactive]: proactive has no effect, as overlap is off");
  ck_assert_str_eq (s->remarks[1],
                    "jit[prefetch=next,overlap=bypass]: prefetch has no effect, as overlap loads ahead of every "
                    "task");
  bn_scenario_free (s);
}
END_TEST

START_TEST (keys_of_the_workload_that_stand_for_nothing_are_remarked)
{
  /* cv is of neither; a default said again is no slip */
  const char *given[] = { "workload.trace=none.csv", "workload.noise-cv=2", "workload.off=1s", NULL };
  BnScenario *s = read_scenario (MINIMAL "cv = 3\n", given);
  ck_assert_uint_eq (g_strv_length (s->remarks), 3);
  ck_assert_str_eq (s->remarks[0], "workload.trace has no effect, as arrivals = poisson; it is for arrivals = trace");
  ck_assert_str_eq (s->remarks[1],
                    "workload.cv has no effect, as arrivals = poisson; it is for arrivals = gamma or correlated");
  ck_assert_str_eq (s->remarks[2],
                    "workload.noise-cv has no effect, as noise = constant; it is for noise = lognormal or gamma");
  bn_scenario_free (s);

  /* a file's keys are of the file's process: the command line's is another */
  const char *other[] = { "workload.arrivals=poisson", NULL };
  s = read_scenario (MINIMAL "arrivals = gamma\ncv = 3\n", other);
  ck_assert_uint_eq (g_strv_length (s->remarks), 0);
  bn_scenario_free (s);
}
END_TEST

START_TEST (files_that_are_missing_are_named)
{
  GError *error = NULL;
  ck_assert_ptr_null (bn_scenario_read ("no/such.ini", NULL, &error));
  ck_assert_str_eq (error->message, "no/such.ini: cannot be opened: No such file or directory; check the path");
  g_clear_error (&error);
  assert_refused ("[servers]\n[workload]\ncatalogue = none.ini\njobs = 1\n",
                  "none.ini: cannot be opened: No such file or directory; check the path");
  assert_refused (MINIMAL "arrivals = trace\ntrace = none.csv\n",
                  "none.csv: cannot be opened: No such file or directory; check the path");
}
END_TEST

START_TEST (overrides_are_refused_by_their_own_words)
{
  assert_override_refused ("workload.rate=fast",
                           "--set 'workload.rate=fast': rate: 'fast' is not a frequency: it must begin with a "
                           "decimal number, for example 2/s");
  assert_override_refused ("rate=2/s", "--set 'rate=2/s': is not section.key=value, such as workload.rate=4/s");
  assert_override_refused ("workload.rate",
                           "--set 'workload.rate': is not section.key=value, such as workload.rate=4/s");
  assert_override_refused ("workload.x.rate=2/s",
                           "--set 'workload.x.rate=2/s': only [servers] has groups; write section.key=value");
  assert_override_refused ("servers.fast.count=2",
                           "--set 'servers.fast.count=2': the only server group has no name; write servers.KEY");
  assert_override_refused ("servers.cuont=2",
                           "--set 'servers.cuont=2': 'cuont' is not a key of [servers] (did you mean 'count'?); it "
                           "knows count, devices, gpu, memory, speed, slots, pcie, pcie-latency, idle-watts, "
                           "active-watts, price");
  assert_refused_with ("[servers a]\n[servers b]\n[workload]\ncatalogue = c.ini\njobs = 1\n",
                       (const char *const[]) { "servers.count=2", NULL },
                       "--set 'servers.count=2': there are several server groups; write servers.NAME.KEY with one "
                       "of a, b");
  assert_override_refused ("workload.mix=x:1",
                           "--set 'workload.mix=x:1': workload.mix: 'x' is not a workflow of the catalogue; write "
                           "WORKFLOW:WEIGHT");
}
END_TEST

START_TEST (a_trace_is_resampled_only_where_that_is_asked_for)
{
  static const char resampled[] = MINIMAL "arrivals = trace\ntrace = t.csv\ntrace-resample = blocks\n";
  GString *text = g_string_new ("arrival_ms\n");
  int64_t ms = 0;
  BnRng rng;

  /* gaps of 1 and of 9 ms in stretches of about 25 */
  bn_rng_init (&rng, 1, "gaps");
  for (int i = 0, gap = 1; i < 2000; i++)
    {
      gap = bn_rng_below (&rng, 25) == 0 ? 10 - gap : gap;
      g_string_append_printf (text, "%d\n", (int) (ms += gap));
    }
  write_file ("t.csv", text->str);
  g_string_free (text, TRUE);
  BnScenario *s = read_scenario (MINIMAL "arrivals = trace\ntrace = t.csv\ntrace-block = 7\n", NULL);
  ck_assert_double_eq (s->arrivals.trace_block, 0);
  bn_scenario_free (s);
  s = read_scenario (resampled, (const char *const[]) { "workload.jobs=0", NULL });
  ck_assert_double_gt (s->arrivals.trace_block, 12);
  ck_assert_double_eq (s->arrivals.trace_block, floor (s->arrivals.trace_block));
  double chosen = s->arrivals.trace_block;
  bn_scenario_free (s);
  s = read_scenario (resampled, (const char *const[]) { "workload.jobs=0", "workload.speed=3", NULL });
  ck_assert_double_eq (s->arrivals.trace_block, chosen);
  bn_scenario_free (s);
  s = read_scenario (resampled, (const char *const[]) { "workload.trace-block=7", NULL });
  ck_assert_double_eq (s->arrivals.trace_block, 7);
  bn_scenario_free (s);
}
END_TEST

START_TEST (a_trace_is_scanned_and_gives_the_load)
{
  write_file ("t.csv", "arrival_ms,what\n0,w\n500,v\n1000,v\n");
  BnScenario *s = read_scenario (MINIMAL "arrivals = trace\ntrace = t.csv\nworkflow-column = what\n", NULL);
  ck_assert_int_eq (s->trace.n_rows, 3);
  ck_assert_int_eq (s->trace.last_ns, BN_NS_PER_S);
  ck_assert_uint_eq (strlen (s->trace.sha256), 64);
  /* 2 gaps in 1 s, jobs of 0.7 s / 3, two GPUs */
  ck_assert_double_eq_tol (s->offered_load, 2 * 0.7 / 3 / 2, 1e-12);
  bn_scenario_free (s);
  /* the first two: 1 gap in 0.5 s, 0.4 s / 2 */
  s = read_scenario (MINIMAL "arrivals = trace\ntrace = t.csv\nworkflow-column = what\nuntil = 1s\n", NULL);
  ck_assert_int_eq (s->trace.n_rows, 2);
  ck_assert_double_eq_tol (s->offered_load, 2 * 0.2 / 2, 1e-12);
  bn_scenario_free (s);
  write_file ("t.csv", "arrival_ms,what\n0,w\n500,v\n400,v\n");
  assert_refused (MINIMAL "arrivals = trace\ntrace = t.csv\n",
                  "t.csv:4: arrival_ms: is earlier than the row before; sort the trace by time");
}
END_TEST

/* A job of w is 0.1 s on an A and as stated on a B; v 0.3 s and 0.6 s. */
START_TEST (the_load_counts_runtimes_as_they_are_on_each_type)
{
  write_file ("c.ini", "[model m]\nsize = 1GB\nruntime@B = 20ms\n"
                       "[workflow w]\n[task w/0]\nmodel = m\ninput = 1kB\noutput = 1kB\nruntime = 100ms\n"
                       "[workflow v]\n[task v/0]\ninput = 1kB\noutput = 1kB\nruntime = 300ms\n");
  BnScenario *s = read_scenario ("[servers A]\ncount = 2\n[servers B]\nspeed = 0.5x\nslots = 3\n"
                                 "[workload]\ncatalogue = c.ini\njobs = 10\nrate = 4/s\nmix = w:3 v:1\n",
                                 NULL);
  double on_a = (3 * 0.1 + 0.3) / 4, on_b = (3 * 0.02 + 0.6) / 4;
  ck_assert_double_eq_tol (s->offered_load, 4 / (2 / on_a + 3 / on_b), 1e-12);
  bn_scenario_free (s);
}
END_TEST

START_TEST (a_group_of_no_servers_is_not_there)
{
  const char *text = "[servers A]\ncount = 0\n[servers B]\ncount = 3\n[servers C]\ncount = 0\n"
                     "[servers D]\ncount = 2\npcie = 1B/s\n[workload]\ncatalogue = c.ini\njobs = 10\n";

  BnScenario *s = read_scenario (text, (const char *const[]) { "servers.D.pcie=1GB/s", NULL });
  ck_assert_uint_eq (s->platform->n_types, 2);
  ck_assert_str_eq (s->platform->types[1].group, "D");
  ck_assert_uint_eq (s->platform->n_workers, 5);
  ck_assert (strstr (s->text, "servers.A.count = 0\n") != NULL);
  bn_scenario_free (s);
  /* messages name the group, whatever its type's number is */
  assert_refused (text, "s.ini:9: servers.D.pcie: loading model m (1GB) would take more than a day; check pcie, "
                        "pcie-latency and that size");
}
END_TEST

START_TEST (what_would_take_absurdly_long_is_refused)
{
  assert_override_refused ("servers.pcie=1B/s",
                           "--set 'servers.pcie=1B/s': servers.pcie: loading model m (1GB) would take more than a "
                           "day; check pcie, pcie-latency and that size");
  assert_override_refused ("servers.pcie-latency=25h",
                           "s.ini: servers.pcie: loading model m (1GB) would take more than a day; check pcie, "
                           "pcie-latency and that size");
  assert_override_refused ("network.latency=25h",
                           "s.ini: network.rate: the output of task w/0 (1kB) would take more than a day; check "
                           "rate, latency, the ramp and that size");
  assert_override_refused ("network.ramp-limit=2MB",
                           "--set 'network.ramp-limit=2MB': ramp-limit: '2MB' is out of range; it may be 0 to 1MB");
  assert_override_refused ("network.ramp-per-kb=2TB/s",
                           "--set 'network.ramp-per-kb=2TB/s': ramp-per-kb: '2TB/s' is out of range; it may be "
                           "0 to 1TB/s");
  assert_override_refused ("network.rate=2000TB/s",
                           "--set 'network.rate=2000TB/s': rate: '2000TB/s' is out of range; it may be 1B/s to "
                           "1000TB/s");
  write_file ("c.ini", "[workflow w]\n[task w/a]\ninput = 500TB\noutput = 0\nruntime = 100ms\n"
                       "[task w/b]\ninput = 600TB\noutput = 0\nruntime = 1h\n");
  assert_override_refused ("servers.count=1",
                           "s.ini: network.rate: the inputs of workflow w (1100TB) would take more than a day; check "
                           "rate, latency, the ramp and that size");
  assert_override_refused ("servers.speed=0.001x",
                           "s.ini: network.rate: the inputs of workflow w (1100TB) would take more than a day; check "
                           "rate, latency, the ramp and that size");
  assert_refused_with (MINIMAL, (const char *const[]) { "servers.speed=0.001x", "network.rate=100GB/s", NULL },
                       "--set 'servers.speed=0.001x': servers.speed: task w/b would run for more than 10 days; check "
                       "speed and that task's runtime");
}
END_TEST

/* Relative to the scenario in the file, to the working directory in an override. */
START_TEST (paths_are_relative_to_where_they_are_written)
{
  write_file ("t.csv", "arrival_ms\n0\n");
  char *old = g_get_current_dir ();
  write_file ("s.ini", MINIMAL "arrivals = trace\n");
  GError *error = NULL;
  ck_assert_int_eq (g_chdir ("/"), 0);
  ck_assert_ptr_null (bn_scenario_read (path, (const char *const[]) { "workload.trace=t.csv", NULL }, &error));
  g_clear_error (&error);
  ck_assert_int_eq (g_chdir (directory), 0);
  BnScenario *s = bn_scenario_read ("s.ini", (const char *const[]) { "workload.trace=t.csv", NULL }, &error);
  ck_assert_msg (s != NULL, "%s", error == NULL ? "" : error->message);
  ck_assert_int_eq (s->trace.n_rows, 1);
  bn_scenario_free (s);
  ck_assert_int_eq (g_chdir (old), 0);
  g_free (old);
}
END_TEST

START_TEST (every_shipped_scenario_loads)
{
  char *folder = g_build_filename (g_getenv ("BN_SRCDIR"), "traces", "scenarios", NULL);
  GDir *files = g_dir_open (folder, 0, NULL);
  ck_assert_ptr_nonnull (files);
  int n = 0;
  for (const char *name; (name = g_dir_read_name (files)) != NULL;)
    {
      if (!g_str_has_suffix (name, ".ini"))
        continue;
      char *file = g_build_filename (folder, name, NULL);
      GError *error = NULL;
      BnScenario *s = bn_scenario_read (file, NULL, &error);
      ck_assert_msg (s != NULL, "%s", error == NULL ? "" : error->message);
      ck_assert_double_gt (s->offered_load, 0.1);
      ck_assert_double_lt (s->offered_load, 0.9);
      bn_scenario_free (s);
      g_free (file);
      n++;
    }
  ck_assert_int_ge (n, 6);
  g_dir_close (files);
  g_free (folder);
}
END_TEST

/* paper.ini states every constant, so it must agree with what scenarios that
 * state none of them get. */
START_TEST (the_paper_s_constants_are_the_defaults)
{
  char *file = g_build_filename (g_getenv ("BN_SRCDIR"), "traces", "scenarios", "paper.ini", NULL);
  BnScenario *paper = bn_scenario_read (file, NULL, NULL);
  ck_assert_ptr_nonnull (paper);
  BnScenario *plain = read_scenario (MINIMAL, NULL);
  char **a = g_strsplit (paper->text, "\n", -1), **b = g_strsplit (plain->text, "\n", -1);
  int n_compared = 0;
  for (guint i = 0; a[i] != NULL && b[i] != NULL; i++)
    if (g_str_has_prefix (a[i], "network.") || g_str_has_prefix (a[i], "options.") || strstr (a[i], ".pcie") != NULL
        || strstr (a[i], "watts") != NULL)
      {
        ck_assert_str_eq (a[i], b[i]);
        n_compared++;
      }
  ck_assert_int_eq (n_compared, 6 + 18 + 2 + 2);
  ck_assert_double_eq_tol (paper->offered_load, 2 * 3.9858 / 4 / 5, 1e-9);
  g_strfreev (a);
  g_strfreev (b);
  bn_scenario_free (paper);
  bn_scenario_free (plain);
  g_free (file);
}
END_TEST

START_TEST (the_reference_of_keys_in_the_manual_is_the_program_s)
{
  char *file = g_build_filename (g_getenv ("BN_SRCDIR"), "doc", "scenario.md", NULL), *manual = NULL;
  ck_assert (g_file_get_contents (file, &manual, NULL, NULL));
  char *help = bn_scenario_keys_help ();
  char *block = g_strconcat ("```text\n", help, "```\n", NULL);
  ck_assert_msg (strstr (manual, block) != NULL, "doc/scenario.md lacks this block:\n%s", block);
  g_free (block);
  g_free (help);
  g_free (manual);
  g_free (file);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("scenario");
  TCase *t = tcase_create ("scenario");
  tcase_set_timeout (t, 60);
  tcase_add_checked_fixture (t, set_up, tear_down);
  tcase_add_test (t, what_is_left_out_has_the_published_constants);
  tcase_add_test (t, every_section_reaches_its_place);
  tcase_add_test (t, speed_stretches_all_times_of_the_arrivals);
  tcase_add_test (t, scale_shrinks_models_and_memory_alike);
  tcase_add_test (t, a_profile_lies_over_runtimes_loads_and_noise);
  tcase_add_test (t, a_real_backend_records_tasks_and_has_no_noise);
  tcase_add_test (t, overrides_are_applied_in_order);
  tcase_add_test (t, the_text_is_canonical_and_the_hash_follows_it_and_the_catalogue);
  tcase_add_test (t, the_canonical_text_reads_back_to_itself);
  tcase_add_test (t, the_load_of_a_rate_that_changes_is_that_of_its_mean);
  tcase_add_test (t, mistakes_in_keys_name_the_nearest_key);
  tcase_add_test (t, mistakes_in_values_name_line_and_key);
  tcase_add_test (t, popularity_falls_with_a_power_of_the_rank);
  tcase_add_test (t, keys_that_do_not_fit_together_are_refused);
  tcase_add_test (t, options_that_a_scheduler_does_not_heed_are_remarked);
  tcase_add_test (t, options_of_the_gpu_manager_that_exclude_each_other_are_remarked);
  tcase_add_test (t, keys_of_the_workload_that_stand_for_nothing_are_remarked);
  tcase_add_test (t, files_that_are_missing_are_named);
  tcase_add_test (t, overrides_are_refused_by_their_own_words);
  tcase_add_test (t, a_trace_is_resampled_only_where_that_is_asked_for);
  tcase_add_test (t, a_trace_is_scanned_and_gives_the_load);
  tcase_add_test (t, the_load_counts_runtimes_as_they_are_on_each_type);
  tcase_add_test (t, a_group_of_no_servers_is_not_there);
  tcase_add_test (t, what_would_take_absurdly_long_is_refused);
  tcase_add_test (t, paths_are_relative_to_where_they_are_written);
  tcase_add_test (t, every_shipped_scenario_loads);
  tcase_add_test (t, the_paper_s_constants_are_the_defaults);
  tcase_add_test (t, the_reference_of_keys_in_the_manual_is_the_program_s);
  suite_add_tcase (suite, t);
  return run_suite (suite);
}
