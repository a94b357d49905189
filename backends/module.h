/* module.h: backends that are loaded at run time.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * A module is a shared object, binnacle-NAME.so, that exports one BnBackendModule. It
 * brings its own copies of the rooms it needs and takes no symbol from the program, so
 * that the two share nothing but backend.h; those rooms have no state of their own but the
 * context of a failing assertion, which is a thread's and which a backend's threads lack.
 * Program and module must come from the same build; BN_MODULE_ABI tells those that do not.
 *
 * It is looked for in the folder that the environment variable BINNACLE_MODULE_DIR names;
 * without that beside the executable (a build tree, a bundle), then where it is installed.
 */
#ifndef BN_MODULE_H
#define BN_MODULE_H

#include <gmodule.h>

#include "backend.h"

/* Raised with every change of a struct that backend.h shows to a backend. */
#define BN_MODULE_ABI 1

#define BN_MODULE_DIR_VARIABLE "BINNACLE_MODULE_DIR"
#define BN_MODULE_SYMBOL "bn_backend_module"

typedef struct BnBackendModule
{
  uint32_t abi;              /* BN_MODULE_ABI of its build; stays first whatever changes */
  const BnBackend *backend;
} BnBackendModule;

/* Opens binnacle-NAME.so, a backend's or any other. NULL with `reason` set, one line (transfer full). */
GModule *bn_module_open (const char *name, char **reason);

/* The backend of the module `name`, which stays in the process. Returns: (transfer none);
 * NULL with `reason` set, one line (transfer full): there is none, it cannot be loaded, it is of another build. */
const BnBackend *bn_module_backend (const char *name, char **reason);

#endif
