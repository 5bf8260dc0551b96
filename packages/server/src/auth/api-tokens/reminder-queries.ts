import type { Queries, Statement } from '../../database/index.ts';

/** A token whose owner may be due a mail. */
export interface DueTokenRow {
  organization_id: string;
  id: string;
}

/** A token whose owner is told, once it was marked so. */
export interface MarkedTokenRow {
  name: string;
  prefix: string;
  organization_name: string;
  /** Null when the owner left the organization, and nobody is to be told. */
  email: string | null;
}

/** How many days before a token's expiry its owner is warned. */
export type ExpiryNotice = 7 | 1;

/** Tokens that expire within this many days and whose owners have not been warned, the earliest expiry first. */
export async function listTokensToWarn(database: Queries, notice: ExpiryNotice, limit: number): Promise<DueTokenRow[]> {
  return database.query(notice === 7 ? LIST_EXPIRING_IN_A_WEEK : LIST_EXPIRING_IN_A_DAY, [limit]);
}

/** Marks a token as warned of; undefined when another process was faster, or it is not due any more. */
export async function markWarned(
  tx: Queries,
  notice: ExpiryNotice,
  token: DueTokenRow,
): Promise<(MarkedTokenRow & { expires_at: Date }) | undefined> {
  const statement = notice === 7 ? MARK_EXPIRING_IN_A_WEEK : MARK_EXPIRING_IN_A_DAY;
  return (await tx.query(statement, [token.organization_id, token.id]))[0];
}

/** Tokens that are 90 days old and whose owners have not been told so, the oldest first. */
export async function listTokensToRotate(database: Queries, limit: number): Promise<DueTokenRow[]> {
  return database.query(LIST_TOKENS_TO_ROTATE, [limit]);
}

/** Marks a token whose owner was mailed about its age; undefined when another process was faster. */
export async function markAgeTold(
  tx: Queries,
  token: DueTokenRow,
): Promise<(MarkedTokenRow & { ends_soon: boolean }) | undefined> {
  return (await tx.query(MARK_AGE_TOLD, [token.organization_id, token.id]))[0];
}

/** By these and the columns that follow, the partial indexes are found. */
const IS_OPEN = 't.revoked_at is null and t.replaced_by is null';

/**
 * One clock for narrowing down, which an index can be searched with, and one for deciding, read after any wait for a
 * lock. No owner is warned of both dates at once, or of either for a token that was made to live no longer than that.
 */
function expiringWithin(notice: ExpiryNotice, clock: string): string {
  const isUntold = notice === 7 ? 't.expiry_told_days is null' : 't.expiry_told_days is distinct from 1';
  return `${IS_OPEN} and t.expires_at is not null and ${isUntold} and t.expiry_told_days is distinct from 1
    and t.expires_at > ${clock} + interval '${notice === 7 ? 1 : 0} days'
    and t.expires_at <= ${clock} + interval '${notice} days'
    and t.expires_at >= t.created_at + interval '${notice} days'`;
}

const OWNER = `(select u.email from memberships m join users u on u.id = m.user_id
      where m.organization_id = t.organization_id and m.user_id = t.user_id) as email,
    (select o.name from organizations o where o.id = t.organization_id) as organization_name`;

const ONCE = '(select clock_timestamp())';

function listExpiring(name: string, notice: ExpiryNotice): Statement<DueTokenRow> {
  return {
    name,
    text: `select t.organization_id, t.id from api_tokens t where ${expiringWithin(notice, ONCE)}
      order by t.expires_at limit $1`,
  };
}

function markExpiring(name: string, notice: ExpiryNotice): Statement<MarkedTokenRow & { expires_at: Date }> {
  return {
    name,
    text: `update api_tokens t set expiry_told_days = ${notice}
      where t.organization_id = $1 and t.id = $2 and ${expiringWithin(notice, 'clock_timestamp()')}
      returning t.name, t.prefix, t.expires_at, ${OWNER}`,
  };
}

const LIST_EXPIRING_IN_A_WEEK = listExpiring('list_tokens_expiring_in_a_week', 7);
const LIST_EXPIRING_IN_A_DAY = listExpiring('list_tokens_expiring_in_a_day', 1);
const MARK_EXPIRING_IN_A_WEEK = markExpiring('mark_token_expiring_in_a_week', 7);
const MARK_EXPIRING_IN_A_DAY = markExpiring('mark_token_expiring_in_a_day', 1);

/** Expired ones are due as well: they are marked without a mail, so that they are not looked at again for ever. */
const oldEnough = (clock: string) =>
  `${IS_OPEN} and t.age_told_at is null and t.created_at <= ${clock} - interval '90 days'`;

const LIST_TOKENS_TO_ROTATE: Statement<DueTokenRow> = {
  name: 'list_tokens_to_rotate',
  text: `select t.organization_id, t.id from api_tokens t where ${oldEnough(ONCE)} order by t.created_at limit $1`,
};

const MARK_AGE_TOLD: Statement<MarkedTokenRow & { ends_soon: boolean }> = {
  name: 'mark_token_age_told',
  text: `update api_tokens t set age_told_at = clock_timestamp()
    where t.organization_id = $1 and t.id = $2 and ${oldEnough('clock_timestamp()')}
    returning t.name, t.prefix, coalesce(t.expires_at <= clock_timestamp() + interval '7 days', false) as ends_soon,
      ${OWNER}`,
};
