/* backends.c: the list of backends.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "backend.h"

const BnBackend *const bn_backends[] = { &bn_model_backend, NULL };
