/* lanes.c: deals slices of time that overlap to lanes in which they do not.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "lanes.h"

struct BnLanes
{
  GArray *free_ns;  /* (element-type gint64): when each lane's last slice ends */
};

BnLanes *
bn_lanes_new (void)
{
  BnLanes *lanes = g_new (BnLanes, 1);

  lanes->free_ns = g_array_new (FALSE, FALSE, sizeof (gint64));
  return lanes;
}

void
bn_lanes_free (BnLanes *lanes)
{
  if (lanes == NULL)
    return;
  g_array_free (lanes->free_ns, TRUE);
  g_free (lanes);
}

void
bn_lanes_clear (BnLanes *lanes)
{
  g_array_set_size (lanes->free_ns, 0);
}

guint
bn_lanes_take (BnLanes *lanes, gint64 start_ns, gint64 end_ns)
{
  guint lane;

  for (lane = 0; lane < lanes->free_ns->len; lane++)
    if (g_array_index (lanes->free_ns, gint64, lane) <= start_ns)
      break;
  if (lane == lanes->free_ns->len)
    g_array_append_val (lanes->free_ns, end_ns);
  g_array_index (lanes->free_ns, gint64, lane) = end_ns;
  return lane;
}

guint
bn_lanes_count (const BnLanes *lanes)
{
  return lanes->free_ns->len;
}
