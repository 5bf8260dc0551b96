import type { Queries, Statement } from '../../database/index.ts';

/** A payment that took money at the provider and that nothing here explains. Amounts in minor units. */
export interface OrphanRow {
  id: string;
  provider: 'test' | 'stripe';
  provider_ref: string;
  organization_id: string | null;
  subscription_id: string | null;
  period_index: number | null;
  attempt: number | null;
  purpose: string | null;
  customer_ref: string | null;
  amount: number;
  currency: string;
  status: 'awaited' | 'orphaned' | 'adopted' | 'resolved';
  reason: string | null;
  created_at: Date;
}

/**
 * What is stored about an orphan when it is found. Times of the provider and of this process: real, in milliseconds.
 */
export interface FoundOrphan extends Omit<OrphanRow, 'created_at'> {
  createdAtMs: number;
  foundAtMs: number;
  /** When to review it, if it is awaited. */
  reviewAtMs: number | null;
}

/** Keeps an orphan, or writes how it stands now; one that was adopted or resolved stays so. */
export async function saveOrphan(database: Queries, found: FoundOrphan): Promise<void> {
  const { createdAtMs, foundAtMs, reviewAtMs, ...row } = found;
  const timeOf = (timeMs: number | null) => (timeMs === null ? null : new Date(timeMs));
  const times = { created_at: timeOf(createdAtMs), found_at: timeOf(foundAtMs), review_at: timeOf(reviewAtMs) };
  await database.query(SAVE_ORPHAN, [JSON.stringify({ ...row, ...times })]);
}

/** Takes orphans that finance was not mailed about, oldest first; they stay locked until the transaction ends. */
export async function lockUntoldOrphans(tx: Queries, limit: number): Promise<OrphanRow[]> {
  return tx.query(LOCK_UNTOLD_ORPHANS, [limit]);
}

export async function noteOrphansTold(tx: Queries, ids: readonly string[], atMs: number): Promise<void> {
  await tx.query(UPDATE_ORPHANS_TOLD, [ids, atMs]);
}

/** Takes awaited payments that are due for another review, and postpones the next one. */
export async function claimAwaited(
  database: Queries,
  nowMs: number,
  nextMs: number,
  limit: number,
): Promise<Array<Pick<OrphanRow, 'provider_ref'>>> {
  return database.query(CLAIM_AWAITED, [nowMs, nextMs, limit]);
}

/** How many payments are orphaned, up to `limit`. */
export async function countOrphans(database: Queries, limit: number): Promise<number> {
  return (await database.query(COUNT_ORPHANS, [limit]))[0]?.count ?? 0;
}

/** Closes an orphaned payment that staff have dealt with; returns it, or undefined when none of this id is orphaned. */
export async function resolveOrphan(
  tx: Queries,
  id: string,
  note: string,
  atMs: number,
): Promise<OrphanRow | undefined> {
  return (await tx.query(RESOLVE_ORPHAN, [id, note, atMs]))[0];
}

const COLUMNS = `id, provider, provider_ref, organization_id, subscription_id, period_index, attempt, purpose, customer_ref,
  amount, currency, status, reason, created_at`;

const SAVE_ORPHAN: Statement<never> = {
  name: 'save_orphaned_payment',
  text: `insert into orphaned_payments as o (${COLUMNS}, found_at, review_at)
    select ${COLUMNS}, found_at, review_at from jsonb_populate_record(null::orphaned_payments, $1::jsonb)
    on conflict (provider, provider_ref) do update
      set status = excluded.status, reason = excluded.reason, review_at = excluded.review_at
      where o.status in ('awaited', 'orphaned')`,
};

const LOCK_UNTOLD_ORPHANS: Statement<OrphanRow> = {
  name: 'lock_untold_orphans',
  text: `select ${COLUMNS} from orphaned_payments where status = 'orphaned' and told_at is null
    order by found_at, id limit $1 for update skip locked`,
};

const UPDATE_ORPHANS_TOLD: Statement<never> = {
  name: 'update_orphans_told',
  text: 'update orphaned_payments set told_at = to_timestamp($2::float8 / 1000) where id = any($1::text[])',
};

/** $1 now and $2 the next look, in milliseconds of real time. */
const CLAIM_AWAITED: Statement<Pick<OrphanRow, 'provider_ref'>> = {
  name: 'claim_awaited_payments',
  text: `with due as (
      select id from orphaned_payments where status = 'awaited' and review_at <= to_timestamp($1::float8 / 1000)
      order by review_at limit $3 for update skip locked
    )
    update orphaned_payments o set review_at = to_timestamp($2::float8 / 1000)
    from due where o.id = due.id returning o.provider_ref`,
};

const COUNT_ORPHANS: Statement<{ count: number }> = {
  name: 'count_orphaned_payments',
  text: `select count(*)::int as count from (
      select from orphaned_payments where status = 'orphaned' limit $1) o`,
};

const RESOLVE_ORPHAN: Statement<OrphanRow> = {
  name: 'resolve_orphaned_payment',
  text: `update orphaned_payments set status = 'resolved', note = $2, closed_at = to_timestamp($3::float8 / 1000)
    where id = $1 and status = 'orphaned' returning ${COLUMNS}`,
};
