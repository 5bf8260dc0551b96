import type { Queries } from '../../database/index.ts';
import type { MailContent, Mailer } from '../../mail/index.ts';
import { listBillingEmails } from '../../organizations/index.ts';
import type { Account } from '../accounts/queries.ts';

/**
 * Who gets the mails about an organization's invoices: its billing address or, without one, the members who manage its
 * money. They are looked up once per transaction, regardless of the number of invoices.
 */
export class Payer {
  readonly organizationName: string;
  readonly #account: Pick<Account, 'organizationId' | 'buyer'>;
  /** Recipients who have reached the limit for a kind of mail. */
  readonly #atLimit = new Set<string>();
  #recipients: readonly string[] | undefined;

  constructor(account: Pick<Account, 'organizationId' | 'organizationName' | 'buyer'>) {
    this.organizationName = account.organizationName;
    this.#account = account;
  }

  /** The recipients of a mail of this kind. */
  async recipientsOf(tx: Queries, kind: string): Promise<readonly string[]> {
    const { organizationId, buyer } = this.#account;
    this.#recipients ??= buyer.email === null ? await listBillingEmails(tx, organizationId) : [buyer.email];
    return this.#recipients.filter((each) => !this.#atLimit.has(`${kind} ${each}`));
  }

  /** Records that this recipient gets no more mails of this kind, so that none are queued. */
  noteLimit(kind: string, recipient: string): void {
    this.#atLimit.add(`${kind} ${recipient}`);
  }
}

/** Queues a mail to everyone who gets the mails about the organization's invoices. */
export async function queueToPayer(
  tx: Queries,
  { mailer }: { mailer: Mailer },
  payer: Payer,
  { kind, content }: { kind: string; content: MailContent },
): Promise<void> {
  for (const recipient of await payer.recipientsOf(tx, kind)) {
    if (!(await mailer.queue(tx, { kind, recipient, content }))) {
      payer.noteLimit(kind, recipient);
    }
  }
}
