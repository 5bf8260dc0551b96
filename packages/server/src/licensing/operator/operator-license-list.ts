import { isoTime } from '../../clock/index.ts';
import { many } from '../../database/index.ts';
import { defineList, filterBy, type PageRequest, sortBy } from '../../http/index.ts';
import { type OperatorLicenseRow, SELECT_OPERATOR_LICENSES } from './queries.ts';

/** On the organization's clock. It is looked up per license, because a join might read all organizations. */
const NOW = `(select clock_timestamp()) + interval '1 millisecond'
  * (select clock_offset_ms from organizations where id = l.organization_id)`;

/** The sorts and filters of both lists. */
const LICENSES = {
  returns: many<OperatorLicenseRow>(),
  defaultSort: '-created_at',
  sorts: { created_at: sortBy.time('l.created_at', (row: OperatorLicenseRow) => isoTime(row.created_at_ms)) },
  filters: {
    organization_id: filterBy.text('l.organization_id'),
    product: filterBy.text('l.product'),
    status: filterBy.cases({
      active: `l.state = 'active' and l.expires_at > ${NOW}`,
      suspended: "l.state = 'suspended'",
      expired: `l.state = 'active' and l.expires_at <= ${NOW}`,
      revoked: "l.state = 'revoked'",
    }),
    key: filterBy.text('l.key'),
    external_id: filterBy.text('l.external_id'),
    expires_before: filterBy.before('l.expires_at'),
    ...filterBy.createdWithin('l.created_at'),
  },
  id: 'l.id',
} as const;

/** The licenses of all organizations. */
export const OPERATOR_LICENSE_LIST = defineList({
  ...LICENSES,
  name: 'list_operator_licenses',
  sql: (_, { page }) => `${SELECT_OPERATOR_LICENSES} where ${page}`,
});

/** The month in which a license expires; that of a perpetual one is infinity. */
const MONTH = "date_trunc('month', l.expires_at at time zone 'UTC')";

/**
 * The same, filtered by expiry. Sorted by creation, the few matches can be anywhere. So a page is read for each month
 * in which licenses expire, and the first of all are kept. The filters decide exactly; the months only bound how much
 * is read.
 */
export const OPERATOR_LICENSES_BY_EXPIRY = defineList({
  ...LICENSES,
  name: 'list_operator_licenses_by_expiry',
  parameters: { states: 'text[]', product: 'text | null', status: 'text | null', expiresBefore: 'timestamptz | null' },
  sql: ({ states, product, status, expiresBefore }, { page, ordered }) => {
    const isOfProduct = `(${product} is null or l.product = ${product})`;
    // No organization's clock runs behind.
    const latest = `clock_timestamp() + (
        select coalesce(max(clock_offset_ms), 0) from organizations where clock_offset_ms > 0
      ) * interval '1 millisecond'`;
    return `
    with recursive bounds as materialized (
      select case when ${status} = 'active' then clock_timestamp() else '-infinity' end as after,
        coalesce(least(case when ${status} = 'expired' then ${latest} end, ${expiresBefore} - interval '1 millisecond'),
          'infinity') as until
    ), months (state, month) as (
      select s.state, (
          select ${MONTH} from licenses l
          where ${isOfProduct} and l.state = s.state and ${MONTH} >= date_trunc('month', (select after from bounds) at time zone 'UTC')
          order by ${MONTH} limit 1
        )
      from unnest(${states}) as s (state)
      union all
      select m.state, (
          select ${MONTH} from licenses l
          where ${isOfProduct} and l.state = m.state and ${MONTH} > m.month order by ${MONTH} limit 1
        )
      from months m where m.month <= (select until from bounds) at time zone 'UTC'
    ), found as materialized (
      select l.organization_id, l.id
      from months m cross join lateral (
        select l.organization_id, l.id, l.created_at
        from licenses l
        where l.state = m.state and ${MONTH} = m.month
          and l.expires_at > (select after from bounds) and l.expires_at <= (select until from bounds) and ${page}
      ) l
      where m.month <= (select until from bounds) at time zone 'UTC'
      ${ordered}
    )
    ${SELECT_OPERATOR_LICENSES} where (l.organization_id, l.id) in (select organization_id, id from found) ${ordered}`;
  },
});

/** The parameters of the list by expiry for a page. Undefined if the other list finds the page as quickly. */
export function boundsOf({ filters }: PageRequest) {
  const { status = null, product = null, expires_before: expiresBefore = null } = filters;
  const isNamed = [filters.organization_id, filters.key, filters.external_id].some((value) => value !== undefined);
  const isStored = status === 'suspended' || status === 'revoked';
  const isByTime = expiresBefore !== null || (status !== null && (!isStored || product !== null));
  if (isNamed || !isByTime) {
    return undefined;
  }
  const states = status === null ? ['active', 'suspended', 'revoked'] : [isStored ? status : 'active'];
  return { states, product, status, expiresBefore };
}
