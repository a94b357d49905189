/* plugin.c: a plug-in's scheduler as one of the program's own.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "plugin.h"

#include <assert.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

/* Both headers say the same of parameters, so that a table of specs or values serves both. */
static_assert (sizeof (BnPluginParam) == sizeof (BnParamSpec), "parameters are alike");
static_assert (offsetof (BnPluginParam, choices) == offsetof (BnParamSpec, choices), "parameters are alike");
static_assert ((int) BN_PLUGIN_CHOICE == (int) BN_PARAM_CHOICE, "kinds are alike");
static_assert (sizeof (BnPluginValue) == sizeof (BnParamValue), "values are alike");
static_assert (BN_PLUGIN_NONE == BN_NONE, "nobody is alike");
static_assert ((int) BN_PLUGIN_WORKER_DOWN == (int) BN_NOTICE_WORKER_DOWN, "notices are alike");

/* The state of a run: what the host answers from, then the plug-in's own. */
typedef struct Plugged
{
  BnPluginHost host;               /* first: the plug-in hands it back           */
  const BnPluginScheduler *plugin;
  const BnPlatform *platform;
  const BnCatalogue *catalogue;
  const BnCost *cost;
  BnRng rng;
  /* of the call under way */
  const BnView *view;
  const BnJob *job;
  BnTime now;
  int32_t task;                    /* asked about; BN_NONE: all of the job     */
  BnSchedHost *answers;
  alignas (max_align_t) char state[];
} Plugged;

static const Plugged *
plugged (const BnPluginHost *host)
{
  return (const Plugged *) (const void *) host;
}

static bool
is_worker (const BnPluginHost *host, uint32_t worker)
{
  return worker < host->n_workers;
}

/* NULL where there is none. */
static const BnTaskSpec *
spec_of (const BnPluginHost *host, uint32_t workflow, uint32_t task)
{
  const BnCatalogue *catalogue = plugged (host)->catalogue;

  return workflow < host->n_workflows && task < catalogue->workflows[workflow].n_tasks
           ? &catalogue->workflows[workflow].tasks[task]
           : NULL;
}

/* ---- the cluster and the work ---- */

static int64_t
memory_bytes (const BnPluginHost *host, uint32_t worker)
{
  return is_worker (host, worker) ? bn_platform_gpu (plugged (host)->platform, worker)->memory_bytes : 0;
}

static uint32_t
n_slots (const BnPluginHost *host, uint32_t worker)
{
  return is_worker (host, worker) ? bn_platform_gpu (plugged (host)->platform, worker)->slots : 0;
}

static uint32_t
server (const BnPluginHost *host, uint32_t worker)
{
  return is_worker (host, worker) ? plugged (host)->platform->workers[worker].server : 0;
}

static int64_t
model_bytes (const BnPluginHost *host, uint32_t model)
{
  return model < host->n_models ? plugged (host)->catalogue->models[model].size_bytes : 0;
}

static uint32_t
n_tasks (const BnPluginHost *host, uint32_t workflow)
{
  return workflow < host->n_workflows ? plugged (host)->catalogue->workflows[workflow].n_tasks : 0;
}

static int32_t
model (const BnPluginHost *host, uint32_t workflow, uint32_t task)
{
  const BnTaskSpec *spec = spec_of (host, workflow, task);

  return spec ? spec->model : BN_NONE;
}

static uint32_t
n_predecessors (const BnPluginHost *host, uint32_t workflow, uint32_t task)
{
  const BnTaskSpec *spec = spec_of (host, workflow, task);

  return spec ? spec->n_preds : 0;
}

static uint32_t
predecessor (const BnPluginHost *host, uint32_t workflow, uint32_t task, uint32_t index)
{
  const BnTaskSpec *spec = spec_of (host, workflow, task);

  return spec && index < spec->n_preds ? spec->preds[index] : 0;
}

static int
fits (const BnPluginHost *host, uint32_t workflow, uint32_t task, uint32_t worker)
{
  const BnTaskSpec *spec = spec_of (host, workflow, task);

  return spec && is_worker (host, worker)
         && (spec->model == BN_NONE || bn_cost_fits (plugged (host)->cost, (uint32_t) spec->model, worker));
}

static int64_t
runtime_ns (const BnPluginHost *host, uint32_t workflow, uint32_t task, uint32_t worker)
{
  const Plugged *p = plugged (host);

  return spec_of (host, workflow, task) && is_worker (host, worker)
           ? bn_cost_runtime (p->cost, &p->catalogue->workflows[workflow], task, worker)
           : 0;
}

static int64_t
load_ns (const BnPluginHost *host, uint32_t model, uint32_t worker)
{
  return model < host->n_models && is_worker (host, worker) ? bn_cost_load (plugged (host)->cost, model, worker) : 0;
}

static int64_t
transfer_ns (const BnPluginHost *host, uint32_t workflow, uint32_t task, uint32_t from, uint32_t to)
{
  const Plugged *p = plugged (host);

  return spec_of (host, workflow, task) && is_worker (host, from) && is_worker (host, to)
           ? bn_cost_g2g (p->cost, &p->catalogue->workflows[workflow], task, from, to)
           : 0;
}

/* ---- what the observer sees; init has no view yet ---- */

static int64_t
free_at_ns (const BnPluginHost *host, uint32_t worker)
{
  const Plugged *p = plugged (host);

  return p->view && is_worker (host, worker) ? bn_view_free_at (p->view, worker, p->now) : 0;
}

static int64_t
queued_ns (const BnPluginHost *host, uint32_t worker)
{
  const Plugged *p = plugged (host);

  return p->view && is_worker (host, worker) ? p->view->backlog_ns[worker] : 0;
}

static int
holds (const BnPluginHost *host, uint32_t worker, uint32_t model)
{
  const Plugged *p = plugged (host);

  return p->view && is_worker (host, worker) && model < host->n_models && bn_view_holds (p->view, worker, model);
}

static int64_t
cached_bytes (const BnPluginHost *host, uint32_t worker)
{
  const Plugged *p = plugged (host);

  return p->view && is_worker (host, worker) ? p->view->cached_bytes[worker] : 0;
}

static int32_t
worker_of (const BnPluginHost *host, uint32_t task)
{
  const Plugged *p = plugged (host);

  return p->job && task < p->job->workflow->n_tasks ? p->job->tasks[task].worker : BN_NONE;
}

/* ---- randomness and answers ---- */

static uint32_t
random_below (BnPluginHost *host, uint32_t n)
{
  return n > 0 ? (uint32_t) bn_rng_below (&((Plugged *) (void *) host)->rng, n) : 0;
}

static void
place (BnPluginHost *host, uint32_t task, uint32_t worker, int32_t priority)
{
  const Plugged *p = plugged (host);

  if (p->answers && task < p->job->workflow->n_tasks && (p->task == BN_NONE || task == (uint32_t) p->task))
    p->answers->place (p->answers, task, worker, priority);
}

/* ---- the program's hooks ---- */

static uint32_t
flags_of (uint32_t answer)
{
  return (answer & BN_PLUGIN_CENTRAL ? BN_SCHED_CENTRAL : 0)
         | (answer & BN_PLUGIN_READS_LOADS ? BN_SCHED_READS_LOADS : 0)
         | (answer & BN_PLUGIN_READS_CACHES ? BN_SCHED_READS_CACHES : 0)
         | (answer & BN_PLUGIN_ADJUSTS ? BN_SCHED_ADJUSTS : 0)
         | (answer & BN_PLUGIN_ADJUSTS_JOINS ? BN_SCHED_ADJUSTS_JOINS : 0)
         | (answer & BN_PLUGIN_HEARS_JOBS ? BN_SCHED_HEARS_JOBS : 0)
         | (answer & BN_PLUGIN_HEARS_TASKS ? BN_SCHED_HEARS_TASKS : 0)
         | (answer & BN_PLUGIN_HEARS_WORKERS ? BN_SCHED_HEARS_WORKERS : 0);
}

static uint32_t
plugged_init (void *state, const BnSchedSetup *setup)
{
  Plugged *p = state;

  p->plugin = setup->scheduler->own;
  p->platform = setup->platform;
  p->catalogue = setup->catalogue;
  p->cost = setup->cost;
  p->rng = setup->rng;
  p->host = (BnPluginHost) { .struct_size = sizeof (BnPluginHost),
                             .n_workers = setup->platform->n_workers,
                             .n_models = setup->catalogue->n_models,
                             .n_workflows = setup->catalogue->n_workflows,
                             .memory_bytes = memory_bytes,
                             .n_slots = n_slots,
                             .server = server,
                             .model_bytes = model_bytes,
                             .n_tasks = n_tasks,
                             .model = model,
                             .n_predecessors = n_predecessors,
                             .predecessor = predecessor,
                             .fits = fits,
                             .runtime_ns = runtime_ns,
                             .load_ns = load_ns,
                             .transfer_ns = transfer_ns,
                             .free_at_ns = free_at_ns,
                             .queued_ns = queued_ns,
                             .holds = holds,
                             .cached_bytes = cached_bytes,
                             .worker_of = worker_of,
                             .random = random_below,
                             .place = place };
  return flags_of (p->plugin->init (p->state, &p->host, (const BnPluginValue *) (const void *) setup->params));
}

static void
plugged_fini (void *state)
{
  Plugged *p = state;

  p->plugin->fini (p->state);
}

/* Between the two the plug-in may ask about this job, and answer. */
static BnPluginCall
begin_call (Plugged *p, const BnJob *job, int32_t observer, BnTime now, const BnView *view, BnSchedHost *answers)
{
  p->job = job;
  p->view = view;
  p->now = now;
  p->task = BN_NONE;
  p->answers = answers;
  return (BnPluginCall) { .struct_size = sizeof (BnPluginCall),
                          .observer = observer,
                          .now_ns = now,
                          .job = job->id,
                          .workflow = job->workflow->index,
                          .ingress = job->ingress,
                          .create_ns = job->create_ns,
                          .deadline_ns = job->deadline_ns,
                          .at_worker = job->ingress };
}

static void
end_call (Plugged *p)
{
  p->job = NULL;
  p->view = NULL;
  p->answers = NULL;
}

static void
plugged_plan (void *state, const BnPlanCall *call)
{
  Plugged *p = state;
  BnPluginCall question = begin_call (p, call->job, call->observer, call->now, call->view, call->host);

  p->plugin->plan (p->state, &question, &p->host);
  end_call (p);
}

static void
plugged_place (void *state, const BnPlaceCall *call)
{
  Plugged *p = state;
  BnPluginCall question = begin_call (p, call->job, call->observer, call->now, call->view, call->host);

  question.task = call->tasks[0];
  question.at_worker = call->at_worker;
  p->task = (int32_t) question.task;
  p->plugin->place (p->state, &question, &p->host);
  end_call (p);
}

static BnPluginOutcome
outcome_of (BnJobState state)
{
  return state == BN_JOB_DONE ? BN_PLUGIN_DONE : state == BN_JOB_REFUSED ? BN_PLUGIN_REFUSED : BN_PLUGIN_FAILED;
}

static void
plugged_notice (void *state, const BnNotice *notice)
{
  Plugged *p = state;
  BnPluginNotice told = { .struct_size = sizeof told,
                          .kind = (BnPluginNoticeKind) notice->kind,
                          .observer = notice->observer,
                          .now_ns = notice->now,
                          .job = notice->job,
                          .workflow = notice->workflow,
                          .task = notice->task,
                          .worker = notice->worker,
                          .outcome = outcome_of (notice->state),
                          .took_ns = notice->took_ns };

  p->plugin->notice (p->state, &told, &p->host);
}

/* ---- the table ---- */

/* Tables of before there were notices are shorter. */
static bool
has_notice (const BnPluginScheduler *plugin)
{
  return plugin->struct_size >= offsetof (BnPluginScheduler, notice) + sizeof plugin->notice && plugin->notice;
}

static bool
is_name (const char *name)
{
  static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";

  return name && *name && strspn (name, allowed) == strlen (name);
}

/* More would not be a state but a mistake. */
#define MAX_STATE_BYTES (1u << 30)

/* Whether the default is one of the values that the parameter may have. */
static bool
has_usable_default (const BnPluginParam *param)
{
  double first = param->min, last = param->max;

  if (param->kind == BN_PLUGIN_BOOL || param->kind == BN_PLUGIN_CHOICE)
    {
      first = 0;
      last = 1;
    }
  if (param->kind == BN_PLUGIN_CHOICE)
    for (last = 0; param->choices[(size_t) last + 1]; last++)
      ;
  return param->default_value >= first && param->default_value <= last;
}

static const char *
param_fault (const BnPluginParam *params, uint32_t index)
{
  const BnPluginParam *param = &params[index];

  if (!is_name (param->name) || !param->help)
    return "has a parameter without help, or whose name is not of letters, digits, - and _";
  for (uint32_t i = 0; i < index; i++)
    if (strcmp (params[i].name, param->name) == 0)
      return "has two parameters of one name";
  if ((uint32_t) param->kind > BN_PLUGIN_CHOICE)
    return "has a parameter of an unknown kind";
  if (param->kind == BN_PLUGIN_CHOICE && (!param->choices || !param->choices[0]))
    return "has a choice parameter without choices";
  return has_usable_default (param) ? NULL : "has a parameter whose default is not one of its values";
}

const char *
bn_plugin_fault (const BnPluginScheduler *plugin)
{
  /* as long as it was when there was the first of this interface */
  if (plugin->struct_size < offsetof (BnPluginScheduler, place) + sizeof plugin->place)
    return "has a table that is too short; build it with the header of this program";
  if (!is_name (plugin->name))
    return "has a name that is not of letters, digits, - and _";
  if (!plugin->summary || !plugin->init)
    return "lacks a summary or init";
  if (!plugin->plan && !plugin->place)
    return "has neither plan nor place, and so places nothing";
  if (plugin->n_params > 0 && !plugin->params)
    return "says that it has parameters and has none";
  if (plugin->state_bytes > MAX_STATE_BYTES)
    return "wants a state of more than 1 GiB";
  const char *fault = NULL;
  for (uint32_t i = 0; i < plugin->n_params && !fault; i++)
    fault = param_fault (plugin->params, i);
  return fault;
}

BnScheduler *
bn_plugin_scheduler_new (const BnPluginScheduler *plugin)
{
  BnScheduler table = { .struct_size = sizeof (BnScheduler),
                        .name = plugin->name,
                        .summary = plugin->summary,
                        .params = (const BnParamSpec *) (const void *) plugin->params,
                        .n_params = plugin->n_params,
                        .state_bytes = (uint32_t) sizeof (Plugged) + plugin->state_bytes,
                        .init = plugged_init,
                        .fini = plugin->fini ? plugged_fini : NULL,
                        .plan = plugin->plan ? plugged_plan : NULL,
                        .place = plugin->place ? plugged_place : NULL,
                        .own = plugin,
                        .notice = has_notice (plugin) ? plugged_notice : NULL };
  BnScheduler *scheduler = malloc (sizeof table);

  if (scheduler)
    memcpy (scheduler, &table, sizeof table);
  return scheduler;
}

void
bn_plugin_scheduler_free (BnScheduler *scheduler)
{
  free (scheduler);
}
