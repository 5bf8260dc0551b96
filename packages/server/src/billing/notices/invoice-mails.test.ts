import { describe, expect } from 'vitest';
import { it } from '../../../test/harness/fixtures.ts';
import type { Member, TestApp } from '../../../test/harness/index.ts';
import { joinOrganization } from '../../../test/harness/join-organization.ts';
import { makeInvoiceRow } from '../../../test/harness/plant-invoice.ts';
import { Mailer } from '../../mail/index.ts';
import { reasonOf } from './decline-reasons.ts';
import { queuePaymentFailed, queueReceipt } from './invoice-mails.ts';
import { Payer } from './payer.ts';

const baseUrl = 'https://localhost:8443';

const tools = (app: TestApp) => ({ mailer: new Mailer(app.masterKey), baseUrl });
const payerWith = (
  admin: Member,
  email: string | null,
  organizationName = 'Ada & Co',
  organizationId = admin.organizationId,
) =>
  new Payer({
    organizationId,
    organizationName,
    buyer: { legal_name: null, address: null, tax_id: null, email },
  });

const INVOICE = {
  number: 'ACME-000007',
  currency: 'jpy',
  subtotal: 15_000,
  discount: 500,
  coupon_code: 'LAUNCH',
  credit_applied: 1_000,
  amount_due: 13_500,
  lines: [{ description: 'Pro, 5 seats', quantity: 5, unit_amount: 3_000, amount: 15_000 }],
};

async function receiptsTo(app: TestApp, recipient: string, kind = 'receipt') {
  return (await app.mailsTo(recipient)).filter((mail) => mail.kind === kind);
}

const MORE_LINES = { label: '10 more lines', note: 'The PDF of the invoice lists all of them.' };

describe('the receipt of a paid invoice', () => {
  it('is sent to the billing address, with the lines, the total, the card and the PDF', async ({ app, admin }) => {
    const invoice = makeInvoiceRow(admin.organizationId, INVOICE);
    await app.database.transaction((tx) => queueReceipt(tx, tools(app), payerWith(admin, 'bills@a.example'), invoice));
    const [mail, ...others] = await receiptsTo(app, 'bills@a.example');
    expect(others).toEqual([]);
    expect(mail).toMatchObject({
      subject: 'Receipt for invoice ACME-000007',
      paragraphs: [
        'Thank you for your payment.',
        'Ada & Co paid 13,500 JPY for invoice ACME-000007 on January 31, 2026 with Visa ending in 4242.',
      ],
      table: [
        { label: 'Pro, 5 seats', note: '5 × 3,000 JPY', value: '15,000 JPY' },
        { label: 'Subtotal', value: '15,000 JPY' },
        { label: 'Discount (LAUNCH)', value: '-500 JPY' },
        { label: 'Total', value: '14,500 JPY' },
        { label: 'Credit applied', value: '-1,000 JPY' },
        { label: 'Amount due', value: '13,500 JPY' },
        { label: 'Amount paid', value: '13,500 JPY' },
      ],
      closing: expect.stringContaining(`${baseUrl}/v1/invoices/${invoice.id}/pdf`),
    });
    expect(mail).toMatchObject({
      attachment: { kind: 'invoice', organization_id: admin.organizationId, id: invoice.id },
    });
    expect(mail?.link).toBeUndefined();
    expect(await receiptsTo(app, admin.email)).toEqual([]);
  });

  it('is sent only to admins and billing members if there is no billing address', async ({ app, admin }) => {
    const billing = await joinOrganization(app, admin, 'billing');
    const member = await joinOrganization(app, admin, 'member');
    const invoice = makeInvoiceRow(admin.organizationId, INVOICE);
    await app.database.transaction((tx) => queueReceipt(tx, tools(app), payerWith(admin, null), invoice));
    const counts = await Promise.all(
      [admin, billing, member].map(async ({ email }) => (await receiptsTo(app, email)).length),
    );
    expect(counts).toEqual([1, 1, 0]);
  });

  it('is not sent for an invoice of 0', async ({ app, admin }) => {
    const invoice = makeInvoiceRow(admin.organizationId, { amount_due: 0, paid_with: null });
    await app.database.transaction((tx) =>
      queueReceipt(tx, tools(app), payerWith(admin, 'nothing@a.example'), invoice),
    );
    expect(await app.mailsTo('nothing@a.example')).toEqual([]);
  });

  it('is sent to one address at most ten times an hour, and contains no link from a name', async ({ app, admin }) => {
    const payer = payerWith(admin, 'stranger@a.example', 'Win at www.evil.example');
    const invoice = makeInvoiceRow(admin.organizationId, INVOICE);
    for (let count = 0; count < 12; count += 1) {
      await app.database.transaction((tx) => queueReceipt(tx, tools(app), payer, invoice));
    }
    const mails = await receiptsTo(app, 'stranger@a.example');
    expect(mails).toHaveLength(10);
    expect(JSON.stringify(mails)).not.toContain('evil');
  });

  it('lists at most 50 lines, and the sum of the others', async ({ app, admin }) => {
    const line = { description: 'Pro', quantity: 1, unit_amount: 1, amount: 1 };
    const invoice = makeInvoiceRow(admin.organizationId, { lines: Array.from({ length: 60 }, () => line) });
    await app.database.transaction((tx) => queueReceipt(tx, tools(app), payerWith(admin, 'many@a.example'), invoice));
    const [mail] = await receiptsTo(app, 'many@a.example');
    expect(mail?.table).toHaveLength(54);
    expect(mail?.table?.[50]).toEqual({ ...MORE_LINES, value: '0.10 USD' });
  });
});

describe('the notice of a failed payment', () => {
  const failed = async (
    app: TestApp,
    admin: Member,
    recipient: string,
    nextAttemptAt: string | null,
    { lines } = INVOICE,
  ) => {
    const invoice = makeInvoiceRow(admin.organizationId, { ...INVOICE, lines, status: 'open' });
    const charge = { declineCode: 'insufficient_funds', nextAttemptAt, canBePaid: true };
    await app.database.transaction((tx) =>
      queuePaymentFailed(tx, tools(app), payerWith(admin, recipient), invoice, charge),
    );
    return (await receiptsTo(app, recipient, 'payment-failed'))[0];
  };

  it('shows why it failed, how much is due and when it is retried', async ({ app, admin }) => {
    const mail = await failed(app, admin, 'late@a.example', '2026-02-02T12:00:00.000Z');
    expect(mail?.subject).toBe('Your payment for invoice ACME-000007 failed');
    expect(mail?.paragraphs.slice(0, 2)).toEqual([
      'The payment of 13,500 JPY for invoice ACME-000007 of Ada & Co was declined. Your card has insufficient funds.',
      'We will retry the payment on February 2, 2026. To pay now, set a different default payment method.',
    ]);
  });

  it('does not reveal that a card is reported lost or stolen', () => {
    expect(reasonOf('stolen_card')).toBe('Your bank did not give a reason that we can share (generic_decline).');
    expect(reasonOf('constructor')).toBe('Your bank did not give a reason that we can share (constructor).');
  });

  it('asks for another card if this one will not be retried', async ({ app, admin }) => {
    expect((await failed(app, admin, 'last@a.example', null))?.paragraphs[1]).toContain(
      'We will not charge this card again.',
    );
  });

  it('mentions no attachment, because it has none', async ({ app, admin }) => {
    const lines = Array.from({ length: 60 }, () => INVOICE.lines).flat();
    const mail = await failed(app, admin, 'long@a.example', null, { ...INVOICE, lines });
    expect(mail?.table?.[50]).toMatchObject(MORE_LINES);
    expect(JSON.stringify(mail)).not.toContain('attached');
  });
});
