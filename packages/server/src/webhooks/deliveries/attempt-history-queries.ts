import { many, one, statement } from '../../database/index.ts';

/** An attempt in an organization's history, by the organization's clock. */
export interface PastAttemptRow {
  at: Date;
  delivery_id: string;
  endpoint_id: string;
}

/**
 * The organization's attempts since a time, in order, at most `limit`. Endpoint by endpoint, in the order of the index.
 */
export const listAttemptsSince = statement({
  name: 'list_attempts_since',
  parameters: { organizationId: 'text', since: 'instant', limit: 'integer' },
  returns: many<PastAttemptRow>(),
  sql: ({ organizationId, since, limit }) => `select a.started_at as at, a.delivery_id, w.id as endpoint_id
    from webhook_endpoints w
    cross join lateral (
      (select started_at, delivery_id from webhook_attempts
      where organization_id = w.organization_id and endpoint_id = w.id and started_at >= ${since}
      order by started_at limit ${limit})
      union all
      (select last_attempt_at, id from webhook_deliveries
      where organization_id = w.organization_id and endpoint_id = w.id and last_attempt_at >= ${since}
        and only_duration_ms is not null
      order by last_attempt_at limit ${limit})
    ) a
    where w.organization_id = ${organizationId} order by a.started_at, a.delivery_id limit ${limit}`,
});

export const countAttemptsSince = statement({
  name: 'count_attempts_since',
  parameters: { organizationId: 'text', since: 'instant' },
  returns: one<{ count: number }>(),
  sql: ({ organizationId, since }) => `select (
      (select count(*) from webhook_endpoints w
        join webhook_attempts a
          on a.organization_id = w.organization_id and a.endpoint_id = w.id and a.started_at >= ${since}
        where w.organization_id = ${organizationId})
      + (select count(*) from webhook_endpoints w
        join webhook_deliveries d on d.organization_id = w.organization_id and d.endpoint_id = w.id
          and d.last_attempt_at >= ${since} and d.only_duration_ms is not null
        where w.organization_id = ${organizationId})
    )::int as count`,
});
