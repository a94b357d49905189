/* other_module.c: a backend's module from a build with another interface.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <gmodule.h>

#include "module.h"

extern const BnBackendModule bn_backend_module;

G_MODULE_EXPORT const BnBackendModule bn_backend_module = { BN_MODULE_ABI + 1, NULL };
