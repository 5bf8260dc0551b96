import type { Queries } from '../../database/index.ts';
import { listBillingEmails } from '../../organizations/index.ts';
import type { Account } from '../accounts/open-account.ts';

/**
 * Who is told of an organization's money, in one transaction: the address that it gave for its bills, and without one those who
 * look after its money. However many invoices there are, they are asked for once.
 */
export class Payer {
  readonly organizationName: string;
  readonly #account: Pick<Account, 'organizationId' | 'buyer'>;
  /** Whoever had as many mails of a kind as they may. */
  readonly #hadEnough = new Set<string>();
  #recipients: readonly string[] | undefined;

  constructor(account: Pick<Account, 'organizationId' | 'organizationName' | 'buyer'>) {
    this.organizationName = account.organizationName;
    this.#account = account;
  }

  /** Whom a mail of this kind goes to. */
  async recipientsOf(tx: Queries, kind: string): Promise<readonly string[]> {
    const { organizationId, buyer } = this.#account;
    this.#recipients ??= buyer.email === null ? await listBillingEmails(tx, organizationId) : [buyer.email];
    return this.#recipients.filter((each) => !this.#hadEnough.has(`${kind} ${each}`));
  }

  /** No more mails of this kind are taken for somebody: they need not be written. */
  noteEnough(kind: string, recipient: string): void {
    this.#hadEnough.add(`${kind} ${recipient}`);
  }
}
