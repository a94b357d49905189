/* mix.h: how often each workflow comes, as workload.mix says it.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef BN_MIX_H
#define BN_MIX_H

#include <glib.h>

#include "workflow.h"

/* The weights of `text`: "" (all alike), "zipf(S)" (the i-th of the catalogue has 1 / i^S, see zipf.h), or
 * "WORKFLOW:WEIGHT …", where what is left out does not come and a name alone has the weight 1. One is above 0.
 * Returns: (transfer full): [catalogue->n_workflows]; NULL with `error` set, without a place. */
double *bn_mix_read (const char *text, const BnCatalogue *catalogue, GError **error);

#endif
