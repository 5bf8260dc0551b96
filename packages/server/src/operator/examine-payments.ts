import { countOrphans } from '../billing/index.ts';
import type { Config } from '../config/index.ts';
import type { Queries } from '../database/index.ts';
import type { Finding } from './finding.ts';

const MOST_COUNTED = 1_000;

/** Whether the provider collected payments that match no record, and whether finance is notified. */
export async function examinePayments(
  database: Queries,
  environment: string,
  { financeEmail }: Pick<Config, 'financeEmail'>,
): Promise<Finding> {
  const count = await countOrphans(database, { limit: MOST_COUNTED });
  const told =
    financeEmail === undefined ? 'no one is notified, because SEATHOLD_FINANCE_EMAIL is not set' : financeEmail.address;
  return {
    check: `${environment}: payments`,
    ok: count === 0,
    detail:
      count === 0
        ? 'no orphaned payments'
        : `${count}${count === MOST_COUNTED ? ' or more' : ''} orphaned: see GET /v1/operator/payments?status=orphaned; ${told}`,
  };
}
