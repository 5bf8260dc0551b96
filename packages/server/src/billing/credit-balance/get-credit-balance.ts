import type { AuthorizedContext } from '../../http/index.ts';
import { listCredits } from '../ledger/write-queries.ts';
import type { CreditBalance } from './schemas.ts';

/** The organization's credit, which its next invoices use before anything is charged. */
export async function getCreditBalance({ database, principal }: AuthorizedContext): Promise<CreditBalance> {
  const credits = await listCredits(database, { organizationId: principal.organizationId });
  const balances = credits
    .filter(({ balance }) => balance > 0)
    .sort((a, b) => b.balance - a.balance || a.currency.localeCompare(b.currency));
  return { balances };
}
