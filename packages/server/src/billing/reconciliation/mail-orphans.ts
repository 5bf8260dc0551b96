import { isoTime } from '../../clock/index.ts';
import type { MailContent, MailRow } from '../../mail/index.ts';
import type { BillingTools } from '../billing-tools.ts';
import { formatMoney } from '../money/amounts.ts';
import { lockUnreportedOrphans, type OrphanRow, updateOrphansReported } from './orphan-queries.ts';

/** Payments per mail. */
const PORTION = 50;

/**
 * Mails finance about new orphaned payments, several per mail. Returns whether there are more. Without an address, no mail
 * is sent: `seathold doctor` and the list of payments show them.
 */
export async function mailOrphans(tools: BillingTools): Promise<boolean> {
  const recipient = tools.settings.financeEmail?.address;
  if (recipient === undefined) {
    return false;
  }
  const nowMs = tools.clock.nowMs();
  return tools.database.transaction(async (tx) => {
    const orphans = await lockUnreportedOrphans(tx, { limit: PORTION });
    if (orphans.length === 0) {
      return false;
    }
    const isQueued = await tools.mailer.queue(tx, {
      kind: 'orphaned-payments',
      recipient,
      content: contentOf(orphans),
    });
    if (isQueued) {
      await updateOrphansReported(tx, { ids: orphans.map(({ id }) => id), now: nowMs });
    }
    // A mail over the hourly cap is sent later, with all orphans up to then.
    return isQueued && orphans.length === PORTION;
  });
}

function contentOf(orphans: readonly OrphanRow[]): MailContent {
  const isOne = orphans.length === 1;
  return {
    subject: isOne ? 'A payment without a matching record' : `${orphans.length} payments without a matching record`,
    paragraphs: [
      `The payment provider collected ${isOne ? 'a payment' : 'payments'} that Seathold has no record of. This can happen after you restore a backup, or after a database failover that lost recent transactions.`,
      'Please check each payment: refund it at the provider, or give the customer what they paid for. Then close it with seathold payments resolve.',
    ],
    table: orphans.map(describe),
  };
}

function describe(orphan: OrphanRow): MailRow {
  const { id, provider_ref: ref, amount, currency, organization_id: organizationId, created_at: createdAt } = orphan;
  const payer = organizationId === null ? 'Unknown organization' : `Organization ${organizationId}`;
  const day = isoTime(createdAt.getTime()).slice(0, 10);
  const note = `${payer}, ${day}, ${ref} at the provider. ${whyOf(orphan.reason)}`;
  return { label: id, note, value: formatMoney(amount, currency) };
}

function whyOf(reason: string | null): string {
  return (reason !== null && Object.hasOwn(REASONS, reason) ? REASONS[reason] : undefined) ?? 'The reason is unknown.';
}

const REASONS: Readonly<Record<string, string>> = {
  unknown_organization: 'The organization does not exist in Seathold.',
  unknown_subscription: 'The subscription does not exist in Seathold.',
  unknown_change: 'The subscription change that it paid for is not recorded in Seathold.',
  no_reason: 'The provider has no information on what it was for.',
  no_invoice: 'There is no invoice for the billing period that it paid for.',
  already_paid: 'Another payment already paid for the same billing period.',
  invoice_closed: 'The invoice that it paid is closed.',
  subscription_ended: 'The subscription that it paid for has ended.',
};
