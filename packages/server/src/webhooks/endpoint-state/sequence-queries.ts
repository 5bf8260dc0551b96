/**
 * SQL that gives the rows of `given` their endpoints' next numbers, in the order of their events: a row of the result
 * is one of `given` and its `sequence`. It must be in the statement that inserts all of exactly these rows, so that a
 * number exists if and only if its delivery does, even after a crash. The counters are locked in key order until the
 * transaction ends.
 *
 * An endpoint's counter is created by its first delivery, because a process of the previous version creates endpoints
 * without one.
 */
export function numberDeliveries(given: string): string {
  return `select g.*, c.last + 1 - row_number() over (
        partition by g.organization_id, g.endpoint_id order by g.event_id desc
      ) as sequence
      from ${given} g join counted c on c.organization_id = g.organization_id and c.endpoint_id = g.endpoint_id`;
}

/** SQL that counts the rows of `given` up in their endpoints' counters, for `numberDeliveries`: the CTE `counted`. */
export function countDeliveries(given: string): string {
  return `insert into webhook_sequences (organization_id, endpoint_id, last)
      select organization_id, endpoint_id, count(*) from ${given} group by organization_id, endpoint_id
      order by organization_id, endpoint_id
      on conflict (organization_id, endpoint_id) do update set last = webhook_sequences.last + excluded.last
      returning organization_id, endpoint_id, last`;
}
