/* results_catalogue.c: writes the platform and the catalogue of a run.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "results_private.h"

#include "catalogue.h"
#include "sql.h"

/* Prepares an insert into `table` with run_id bound; NULL once there is an error. */
static sqlite3_stmt *
begin_table (BnResults *results, const char *table)
{
  sqlite3_stmt *stmt = NULL;

  if (results->error == NULL && bn_results_note (results, bn_sql_prepare_insert (results->db, table, &stmt)))
    bn_sql_int (stmt, 1, results->run_id);
  return stmt;
}

static gboolean
put (BnResults *results, sqlite3_stmt *stmt)
{
  return bn_results_note (results, bn_sql_put (stmt));
}

static void
put_gpu_types (BnResults *results, const BnPlatform *platform)
{
  sqlite3_stmt *stmt = begin_table (results, "gpu_types");

  for (uint32_t i = 0; i < platform->n_types && results->error == NULL; i++)
    {
      const BnGpuType *gpu = &platform->types[i];
      int c = 2;

      bn_sql_int (stmt, c++, i);
      bn_sql_text (stmt, c++, gpu->name);
      bn_sql_text (stmt, c++, gpu->group);
      bn_sql_int (stmt, c++, gpu->n_workers);
      bn_sql_int (stmt, c++, gpu->slots);
      bn_sql_int (stmt, c++, gpu->memory_bytes);
      bn_sql_int (stmt, c++, gpu->speed_ppm);
      bn_sql_int (stmt, c++, gpu->pcie_bytes_per_s);
      bn_sql_int (stmt, c++, gpu->pcie_latency_ns);
      sqlite3_bind_double (stmt, c++, gpu->idle_watts);
      sqlite3_bind_double (stmt, c++, gpu->active_watts);
      sqlite3_bind_double (stmt, c++, gpu->price_per_hour);
      put (results, stmt);
    }
  sqlite3_finalize (stmt);
}

static void
put_network (BnResults *results, const BnNetwork *network)
{
  sqlite3_stmt *stmt = begin_table (results, "networks");
  int c = 2;

  if (stmt == NULL)
    return;
  bn_sql_int (stmt, c++, network->latency_ns);
  bn_sql_int (stmt, c++, network->bytes_per_s);
  bn_sql_int (stmt, c++, network->small_limit_bytes);
  bn_sql_int (stmt, c++, network->ramp_limit_bytes);
  bn_sql_int (stmt, c++, network->ramp_base_bytes_per_s);
  bn_sql_int (stmt, c++, network->ramp_per_kb_bytes_per_s);
  put (results, stmt);
  sqlite3_finalize (stmt);
}

void
bn_results_put_platform (BnResults *results)
{
  const BnPlatform *platform = results->platform;
  sqlite3_stmt *stmt;

  put_gpu_types (results, platform);
  put_network (results, &platform->network);
  stmt = begin_table (results, "workers");
  for (uint32_t i = 0; i < platform->n_workers && results->error == NULL; i++)
    {
      const BnWorkerInfo *worker = &platform->workers[i];
      const BnGpuType *gpu = bn_platform_gpu (platform, i);

      bn_sql_int (stmt, 2, i);
      bn_sql_int (stmt, 3, worker->type);
      bn_sql_int (stmt, 4, worker->server);
      bn_sql_int (stmt, 5, worker->device);
      bn_sql_int (stmt, 6, gpu->slots);
      bn_sql_int (stmt, 7, gpu->memory_bytes);
      put (results, stmt);
    }
  sqlite3_finalize (stmt);
}

static void
put_models (BnResults *results, const BnCatalogue *catalogue)
{
  sqlite3_stmt *stmt = begin_table (results, "models");

  for (uint32_t i = 0; i < catalogue->n_models && results->error == NULL; i++)
    {
      bn_sql_int (stmt, 2, i);
      bn_sql_text (stmt, 3, catalogue->models[i].name);
      bn_sql_int (stmt, 4, catalogue->models[i].size_bytes);
      bn_sql_text (stmt, 5, bn_layers_names[catalogue->models[i].layers]);
      g_autofree char *seed = g_strdup_printf ("%" G_GUINT64_FORMAT, catalogue->models[i].seed);
      bn_sql_text (stmt, 6, seed);
      put (results, stmt);
    }
  sqlite3_finalize (stmt);
}

static void
put_stated_runtimes (BnResults *results, const BnCatalogue *catalogue)
{
  sqlite3_stmt *stmt = begin_table (results, "model_runtimes");

  for (uint32_t m = 0; m < catalogue->n_models; m++)
    for (uint32_t i = 0; i < catalogue->models[m].n_stated && results->error == NULL; i++)
      {
        bn_sql_int (stmt, 2, m);
        bn_sql_text (stmt, 3, catalogue->models[m].stated[i].gpu_type);
        bn_sql_int (stmt, 4, catalogue->models[m].stated[i].runtime_ns);
        put (results, stmt);
      }
  sqlite3_finalize (stmt);
}

static void
put_workflow (BnResults *results, const BnWorkflow *workflow, sqlite3_stmt *task_stmt, sqlite3_stmt *edge_stmt)
{
  bn_sql_int (task_stmt, 2, workflow->index);
  bn_sql_int (edge_stmt, 2, workflow->index);
  for (uint32_t t = 0; t < workflow->n_tasks && results->error == NULL; t++)
    {
      const BnTaskSpec *spec = &workflow->tasks[t];

      bn_sql_int (task_stmt, 3, t);
      bn_sql_text (task_stmt, 4, spec->label);
      bn_sql_index (task_stmt, 5, spec->model);
      bn_sql_int (task_stmt, 6, spec->input_bytes);
      bn_sql_int (task_stmt, 7, spec->output_bytes);
      bn_sql_int (task_stmt, 8, spec->runtime_ns);
      bn_sql_int (task_stmt, 9, spec->work_ns);
      put (results, task_stmt);
      bn_sql_int (edge_stmt, 3, t);
      for (uint32_t p = 0; p < spec->n_preds; p++)
        {
          bn_sql_int (edge_stmt, 4, spec->preds[p]);
          put (results, edge_stmt);
        }
    }
}

void
bn_results_put_catalogue (BnResults *results)
{
  const BnCatalogue *catalogue = results->catalogue;
  sqlite3_stmt *stmt, *task_stmt, *edge_stmt;

  put_models (results, catalogue);
  put_stated_runtimes (results, catalogue);
  stmt = begin_table (results, "workflows");
  task_stmt = begin_table (results, "workflow_tasks");
  edge_stmt = begin_table (results, "workflow_edges");
  for (uint32_t i = 0; i < catalogue->n_workflows && results->error == NULL; i++)
    {
      const BnWorkflow *workflow = &catalogue->workflows[i];

      bn_sql_int (stmt, 2, i);
      bn_sql_text (stmt, 3, workflow->name);
      bn_sql_int (stmt, 4, workflow->n_tasks);
      bn_sql_int (stmt, 5, workflow->lower_bound_ns);
      bn_sql_index (stmt, 6, workflow->deadline_kind == BN_DEADLINE_TIME ? workflow->deadline_ns : BN_NONE);
      bn_sql_index (stmt, 7, workflow->deadline_kind == BN_DEADLINE_MULTIPLE ? workflow->deadline_ppm : BN_NONE);
      if (put (results, stmt))
        put_workflow (results, workflow, task_stmt, edge_stmt);
    }
  sqlite3_finalize (stmt);
  sqlite3_finalize (task_stmt);
  sqlite3_finalize (edge_stmt);
}
