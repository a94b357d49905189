/* entry.c: what the module exports.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <gmodule.h>

#include "cuda_backend.h"
#include "module.h"

extern const BnBackendModule bn_backend_module;

G_MODULE_EXPORT const BnBackendModule bn_backend_module = { BN_MODULE_ABI, &bn_cuda_module_backend };
