import { exists, many, maybeOne, milliseconds, statement } from '../database/index.ts';

const OLDEST = 'order by created_at, id limit 1';

const oldestOf = (organizationId: string, status: string) => `(select created_at, id, current_period_start,
        current_period_end from subscriptions where organization_id = ${organizationId} and status = '${status}' ${OLDEST})`;

/**
 * The current period of the oldest subscription that is active or past due, in milliseconds since 1970. Each status is
 * queried separately, so the index returns the oldest without a sort.
 */
export const findOldestPeriod = statement({
  name: 'find_oldest_period',
  parameters: { organizationId: 'text' },
  returns: maybeOne<{ start_ms: number; end_ms: number }>(),
  sql: ({ organizationId }) => `select ${milliseconds('current_period_start')} as start_ms,
      ${milliseconds('current_period_end')} as end_ms
    from (${oldestOf(organizationId, 'active')} union all ${oldestOf(organizationId, 'past_due')}) live ${OLDEST}`,
});

/** A meter of the catalogue, and how much of it an organization's live subscriptions include. */
export interface AllowanceRow {
  name: string;
  aggregation: string;
  included: number;
}

/** Every meter, unordered, with the quantity that the organization's active and past-due subscriptions include. */
export const listAllowances = statement({
  name: 'list_allowances',
  parameters: { organizationId: 'text' },
  returns: many<AllowanceRow>(),
  sql: ({ organizationId }) => `with live as materialized (
      select p.included from subscriptions s join plans p on p.id = s.plan_id
      where s.organization_id = ${organizationId} and s.status in ('active', 'past_due')
    )
    select m.name, m.aggregation,
      coalesce((select sum(case jsonb_typeof(live.included -> m.name)
        when 'number' then floor((live.included ->> m.name)::numeric) end) from live), 0)::float8 as included
    from meters m`,
});

/** Whether the catalogue has a meter of this name. */
export const hasMeter = statement({
  name: 'has_meter',
  parameters: { name: 'text' },
  returns: exists(),
  sql: ({ name }) => `select name from meters where name = ${name}`,
});
