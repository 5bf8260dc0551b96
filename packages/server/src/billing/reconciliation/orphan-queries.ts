import { many, maybeOne, one, recordset, statement } from '../../database/index.ts';

/** A payment that collected money at the provider and has no explanation here. Amounts in minor units. */
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

const COLUMNS = `id, provider, provider_ref, organization_id, subscription_id, period_index, attempt, purpose, customer_ref,
  amount, currency, status, reason, created_at`;

/**
 * Inserts or updates orphans; an adopted or resolved one stays unchanged. Times are real; `review_at` is when to review
 * an awaited one.
 */
export const upsertOrphans = statement({
  name: 'upsert_orphaned_payments',
  parameters: {
    orphans: recordset({
      id: 'text',
      provider: 'text',
      provider_ref: 'text',
      organization_id: 'text | null',
      subscription_id: 'text | null',
      period_index: 'integer | null',
      attempt: 'integer | null',
      purpose: 'text | null',
      customer_ref: 'text | null',
      amount: 'bigint',
      currency: 'text',
      status: 'text',
      reason: 'text | null',
      created_at: 'timestamptz',
      found_at: 'timestamptz',
      review_at: 'timestamptz | null',
    }),
  },
  sql: ({ orphans }) => `insert into orphaned_payments as o (${COLUMNS}, found_at, review_at)
    select ${COLUMNS}, found_at, review_at from ${orphans}
    on conflict (provider, provider_ref) do update
      set status = excluded.status, reason = excluded.reason, review_at = excluded.review_at
      where o.status in ('awaited', 'orphaned')`,
});

/** Orphans that finance was not mailed about, oldest first; they stay locked until the transaction ends. */
export const lockUnreportedOrphans = statement({
  name: 'lock_unreported_orphans',
  parameters: { limit: 'integer' },
  returns: many<OrphanRow>(),
  sql: ({ limit }) => `select ${COLUMNS} from orphaned_payments where status = 'orphaned' and told_at is null
    order by found_at, id limit ${limit} for update skip locked`,
});

/** Records that finance was mailed about orphans. */
export const updateOrphansReported = statement({
  name: 'update_orphans_reported',
  parameters: { ids: 'text[]', now: 'instant' },
  sql: ({ ids, now }) => `update orphaned_payments set told_at = ${now} where id = any(${ids})`,
});

/** Claims awaited payments that are due for another review, and postpones the next one; returns their references. */
export const claimAwaited = statement({
  name: 'claim_awaited_payments',
  parameters: { now: 'instant', nextReview: 'instant', limit: 'integer' },
  returns: many((row: { provider_ref: string }) => row.provider_ref),
  sql: ({ now, nextReview, limit }) => `with due as (
      select id from orphaned_payments where status = 'awaited' and review_at <= ${now}
      order by review_at limit ${limit} for update skip locked
    )
    update orphaned_payments o set review_at = ${nextReview} from due where o.id = due.id returning o.provider_ref`,
});

/** How many payments are orphaned, up to `limit`. */
export const countOrphans = statement({
  name: 'count_orphaned_payments',
  parameters: { limit: 'integer' },
  returns: one(({ orphaned }: { orphaned: number }) => orphaned),
  sql: ({ limit }) => `select count(*)::int as orphaned from (
      select from orphaned_payments where status = 'orphaned' limit ${limit}) o`,
});

/** Closes an orphaned payment that staff have dealt with, and returns it. */
export const updateResolvedOrphan = statement({
  name: 'update_resolved_orphan',
  parameters: { id: 'text', note: 'text', now: 'instant' },
  returns: maybeOne<OrphanRow>(),
  sql: ({ id, note, now }) => `update orphaned_payments set status = 'resolved', note = ${note}, closed_at = ${now}
    where id = ${id} and status = 'orphaned' returning ${COLUMNS}`,
});
