/* work_folder.h: a folder beside a file that is being made, for one process at a time.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * It is on the same disk as the file, and seen by whoever looks why that is full. A lock in
 * it keeps a second writer away, and ends with the process, however that ends; what the
 * process leaves is removed by the next one. What somebody else has put there stays, and with it the folder.
 */
#ifndef BN_WORK_FOLDER_H
#define BN_WORK_FOLDER_H

#include <glib.h>

typedef struct BnWorkFolder BnWorkFolder;

/* The folder FILE.cells of the file `path`. NULL with `error` set: another process has it,
 * or it cannot be made. Returns: (transfer full). */
BnWorkFolder *bn_work_folder_new (const char *path, GError **error);

/* Returns: (transfer none). */
const char *bn_work_folder_path (const BnWorkFolder *folder);

/* Removes what this process has made in it, and it unless something else is there. NULL is fine. */
void bn_work_folder_free (BnWorkFolder *folder);

#endif
