import type { Queries, Statement } from '../../database/index.ts';

/** Something that happened in an organization, by its clock. */
export interface HappenedRow {
  at: Date;
  type: string;
  id: string;
  resource_id: string | null;
}

/** What happened in an organization since a time of its clock, in order, the first `limit`; and how much in all. */
export async function listHappened(
  database: Queries,
  organizationId: string,
  sinceMs: number,
  limit: number,
): Promise<{ rows: HappenedRow[]; count: number }> {
  const since = new Date(sinceMs).toISOString();
  const rows = await database.query(LIST_HAPPENED, [organizationId, since, limit]);
  const count =
    rows.length < limit
      ? rows.length
      : ((await database.query(COUNT_HAPPENED, [organizationId, since]))[0]?.count ?? 0);
  return { rows, count };
}

/** Of one millisecond, an event comes before the attempts to tell of it. */
const LIST_HAPPENED: Statement<HappenedRow> = {
  name: 'list_happened',
  text: `select at, type, id, resource_id from (
      (select created as at, 1 as place, type, id,
        coalesce(object ->> 'id', object ->> 'session_id', object ->> 'license_id', object ->> 'organization_id')
          as resource_id
        from events where organization_id = $1 and created >= $2::timestamptz order by created, id limit $3)
      union all
      (select a.started_at, 2, 'webhook.attempt', a.delivery_id, w.id from webhook_endpoints w
        cross join lateral (
          select started_at, delivery_id from webhook_attempts
          where organization_id = w.organization_id and endpoint_id = w.id and started_at >= $2::timestamptz
          order by started_at limit $3
        ) a
        where w.organization_id = $1)
    ) h order by at, place, id limit $3`,
};

const COUNT_HAPPENED: Statement<{ count: number }> = {
  name: 'count_happened',
  text: `select (select count(*)::int from events where organization_id = $1 and created >= $2::timestamptz)
    + (select count(*)::int from webhook_endpoints w join webhook_attempts a
        on a.organization_id = w.organization_id and a.endpoint_id = w.id and a.started_at >= $2::timestamptz
        where w.organization_id = $1) as count`,
};
