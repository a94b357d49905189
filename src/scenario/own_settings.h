/* own_settings.h: settings of a scheduler that the program does not know and only passes on.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * They have a prefix, so that an option that is mistyped is not taken for one of them.
 */
#ifndef BN_OWN_SETTINGS_H
#define BN_OWN_SETTINGS_H

#include <glib.h>

#define BN_OWN_PREFIX "param."

/* Adds `item`, which begins with the prefix, "param.NAME=VALUE", to *settings as "NAME=VALUE": NULL-terminated, by name,
 * NULL for none. FALSE with `error` set, one line without a place: it is no such setting, or there already. */
gboolean bn_own_settings_add (char ***settings, const char *item, GError **error);

#endif
