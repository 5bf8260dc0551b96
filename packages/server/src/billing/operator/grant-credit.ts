import { recordAudit, staffActorOf } from '../../audit/index.ts';
import { isoTime } from '../../clock/index.ts';
import { announcement } from '../../events/index.ts';
import { type Answer, type AuthorizedContext, httpError } from '../../http/index.ts';
import { newId } from '../../ids/index.ts';
import type { BillingTools } from '../billing-tools.ts';
import { CREDIT_GRANTED } from '../events.ts';
import { withLedger } from '../ledger/ledger.ts';
import { chargeUnitOf, formatMoney, isKnownCurrency } from '../money/amounts.ts';
import type { Credit, CreditInput } from './schemas.ts';

/**
 * Grants an organization credit, which its next invoices use before anything is charged. Throws not_found for an unknown
 * organization, and validation_failed for a currency or amount that cannot be charged.
 */
export async function grantCredit(
  context: AuthorizedContext,
  tools: BillingTools,
  input: CreditInput,
): Promise<Answer<Credit>> {
  requireChargeable(input);
  const { organization_id: organizationId, amount, currency, reason } = input;
  return withLedger(context.database, tools, organizationId, async (ledger) => {
    const id = newId('creditEntry');
    const entry = { currency, amount, reason: 'granted', subscriptionId: null, invoiceId: null, note: reason } as const;
    await ledger.changeCredit(entry, id);
    const balance = await ledger.credit(currency);
    const shown = { amount, currency, reason, credit_balance: balance, created_at: isoTime(ledger.nowMs) };
    ledger.events.push(() => announcement(CREDIT_GRANTED, { credit_id: id, ...shown }));
    await recordAudit(ledger.tx, staffActorOf(context, organizationId), {
      action: 'credit.granted',
      targetType: 'credit',
      targetId: id,
      before: { credit_balance: balance - amount, currency },
      after: shown,
    });
    return { data: { id, organization_id: organizationId, ...shown } };
  });
}

function requireChargeable({ amount, currency }: CreditInput): void {
  if (!isKnownCurrency(currency)) {
    throw httpError('validation_failed', 'currency must be a known currency code (ISO 4217) in lowercase.', {
      details: { field: 'currency', reason: 'unknown' },
    });
  }
  const unit = chargeUnitOf(currency);
  if (amount % unit !== 0) {
    throw httpError('validation_failed', `amount must be a multiple of ${unit} (${formatMoney(unit, currency)}).`, {
      details: { field: 'amount', reason: 'format' },
    });
  }
}
