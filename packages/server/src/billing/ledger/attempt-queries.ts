import type { Queries, Statement } from '../../database/index.ts';

/** The number of the next attempt to collect a period of a subscription. */
export async function findNextAttempt(
  tx: Queries,
  organizationId: string,
  subscriptionId: string,
  periodIndex: number,
): Promise<number> {
  const [row] = await tx.query(FIND_LAST_ATTEMPT, [organizationId, subscriptionId, periodIndex]);
  return (row?.last ?? 0) + 1;
}

/** The number of the next change of a subscription that is paid for. */
export async function findNextChange(tx: Queries, organizationId: string, subscriptionId: string): Promise<number> {
  const [row] = await tx.query(FIND_LAST_CHANGE, [organizationId, subscriptionId]);
  return (row?.last ?? 0) + 1;
}

const FIND_LAST_ATTEMPT: Statement<{ last: number | null }> = {
  name: 'find_last_attempt',
  text: `select max(attempt) as last from payments
    where organization_id = $1 and subscription_id = $2 and period_index = $3 and purpose <> 'change'`,
};

const FIND_LAST_CHANGE: Statement<{ last: number | null }> = {
  name: 'find_last_change',
  text: `select max(attempt) as last from payments
    where organization_id = $1 and subscription_id = $2 and purpose = 'change'`,
};
