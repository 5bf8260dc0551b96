import type { Queries, Statement } from '../../database/index.ts';

/** Which of these references are payments here, or were resolved by staff: no payment takes them. */
export async function listUnadoptable(database: Queries, provider: string, refs: readonly string[]): Promise<string[]> {
  return (await database.query(LIST_UNADOPTABLE, [provider, refs])).map((row) => row.provider_ref);
}

/** Notes that a payment here has taken what was kept as orphaned. */
export async function closeAdoptedOrphan(tx: Queries, provider: string, ref: string, atMs: number): Promise<void> {
  await tx.query(UPDATE_ADOPTED_ORPHAN, [provider, ref, atMs]);
}

const LIST_UNADOPTABLE: Statement<{ provider_ref: string }> = {
  name: 'list_unadoptable_payments',
  text: `select provider_ref from payments where provider = $1 and provider_ref = any($2::text[])
    union all
    select provider_ref from orphaned_payments
    where provider = $1 and provider_ref = any($2::text[]) and status = 'resolved'`,
};

/** $3: real time, in milliseconds. */
const UPDATE_ADOPTED_ORPHAN: Statement<never> = {
  name: 'update_adopted_orphan',
  text: `update orphaned_payments
    set status = 'adopted', review_at = null, closed_at = to_timestamp($3::float8 / 1000)
    where provider = $1 and provider_ref = $2 and status in ('awaited', 'orphaned')`,
};
