import { many, maybeOne, statement } from '../../database/index.ts';

/** A token whose owner may need a mail. */
export interface DueTokenRow {
  organization_id: string;
  id: string;
}

/** A token that was marked so that its owner gets this mail once. */
export interface MarkedTokenRow {
  user_id: string;
  name: string;
  prefix: string;
}

/** PostgreSQL finds the partial indexes by this condition and the columns that follow. */
const IS_CURRENT = 't.revoked_at is null and t.replaced_by is null';

/**
 * A clock reading that is taken once narrows the search, because it can be used with an index. The other reading, taken
 * after any wait for a lock, decides.
 */
const ONCE = '(select clock_timestamp())';
const EACH_TIME = 'clock_timestamp()';

/**
 * The two warnings before a token expires. An owner never gets both at the same time, and no warning for a token whose
 * whole lifetime is shorter than the period of that warning.
 */
export const EXPIRY_WARNINGS = [defineExpiryWarning('week', 7), defineExpiryWarning('day', 1)];

function defineExpiryWarning(period: 'week' | 'day', days: 7 | 1) {
  const isDue = (clock: string) => `${IS_CURRENT} and t.expires_at is not null
    and t.expiry_told_days is distinct from 1 ${days === 7 ? 'and t.expiry_told_days is null' : ''}
    and t.expires_at > ${clock} + interval '${days === 7 ? 1 : 0} days'
    and t.expires_at <= ${clock} + interval '${days} days'
    and t.expires_at >= t.created_at + interval '${days} days'`;
  return {
    days,
    /** Tokens that expire within this period and whose owners have not been warned, the earliest expiry first. */
    listDue: statement({
      name: `list_tokens_expiring_in_a_${period}`,
      parameters: { limit: 'integer' },
      returns: many<DueTokenRow>(),
      sql: ({ limit }) => `
        select t.organization_id, t.id from api_tokens t where ${isDue(ONCE)} order by t.expires_at limit ${limit}`,
    }),
    /** Marks a token's owner as warned, unless another process already did or it is no longer due. */
    updateWarned: statement({
      name: `update_token_expiring_in_a_${period}`,
      parameters: { organizationId: 'text', id: 'text' },
      returns: maybeOne<MarkedTokenRow & { expires_at: Date }>(),
      sql: ({ organizationId, id }) => `
        update api_tokens t set expiry_told_days = ${days}
        where t.organization_id = ${organizationId} and t.id = ${id} and ${isDue(EACH_TIME)}
        returning t.user_id, t.name, t.prefix, t.expires_at`,
    }),
  };
}

/** Expired tokens are due as well: they are marked without a mail, so that they are not read again every time. */
const isOld = (clock: string) =>
  `${IS_CURRENT} and t.age_told_at is null and t.created_at <= ${clock} - interval '90 days'`;

/** Tokens that are 90 days old and whose owners have not been notified, oldest first. */
export const listTokensToRotate = statement({
  name: 'list_tokens_to_rotate',
  parameters: { limit: 'integer' },
  returns: many<DueTokenRow>(),
  sql: ({ limit }) => `
    select t.organization_id, t.id from api_tokens t where ${isOld(ONCE)} order by t.created_at limit ${limit}`,
});

/** Marks a token's owner as notified of its age, unless another process already did. */
export const updateRotationRecommended = statement({
  name: 'update_rotation_recommended',
  parameters: { organizationId: 'text', id: 'text' },
  returns: maybeOne<MarkedTokenRow & { ends_soon: boolean }>(),
  sql: ({ organizationId, id }) => `
    update api_tokens t set age_told_at = clock_timestamp()
    where t.organization_id = ${organizationId} and t.id = ${id} and ${isOld(EACH_TIME)}
    returning t.user_id, t.name, t.prefix,
      coalesce(t.expires_at <= clock_timestamp() + interval '7 days', false) as ends_soon`,
});
