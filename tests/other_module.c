/* other_module.c: modules that this program cannot use: of another interface, without a backend, or
 * with one of another size.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <gmodule.h>

#include "module.h"

extern const BnBackendModule bn_backend_module;

#if defined BN_OTHER_SIZE
static const BnBackend other_backend = { .struct_size = sizeof (BnBackend) - 8 };
G_MODULE_EXPORT const BnBackendModule bn_backend_module = { BN_MODULE_ABI, &other_backend };
#elif defined BN_NO_BACKEND
G_MODULE_EXPORT const BnBackendModule bn_backend_module = { BN_MODULE_ABI, NULL };
#else
G_MODULE_EXPORT const BnBackendModule bn_backend_module = { BN_MODULE_ABI + 1, NULL };
#endif
