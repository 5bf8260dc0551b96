import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Member, openTestApp, type TestApp } from '../../../test/harness/index.ts';
import { joinOrganization } from '../../../test/harness/join-organization.ts';
import { makeInvoiceRow } from '../../../test/harness/plant-invoice.ts';
import { Mailer } from '../../mail/index.ts';
import { queuePaymentFailed, queueReceipt } from './invoice-mails.ts';
import { Payer } from './payer.ts';

let test: TestApp;
let ada: Member;
const baseUrl = 'https://localhost:8443';

beforeAll(async () => {
  test = await openTestApp();
  ada = await test.register();
});
afterAll(() => test.close());

const tools = () => ({ mailer: new Mailer(test.masterKey), baseUrl });
const payerWith = (email: string | null, organizationName = 'Ada & Co', organizationId = ada.organizationId) =>
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

async function receiptsTo(recipient: string, kind = 'receipt') {
  return (await test.mailsTo(recipient)).filter((mail) => mail.kind === kind);
}

describe('the receipt of a paid invoice', () => {
  it('goes to the address for bills, with lines, total, card and where the PDF is', async () => {
    const invoice = makeInvoiceRow(ada.organizationId, INVOICE);
    await test.database.transaction((tx) => queueReceipt(tx, tools(), payerWith('bills@a.example'), invoice));
    const [mail, ...others] = await receiptsTo('bills@a.example');
    expect(others).toEqual([]);
    expect(mail).toMatchObject({
      subject: 'Receipt for invoice ACME-000007',
      paragraphs: [
        'Thank you for your payment. Paid 13,500 JPY for invoice ACME-000007 of Ada & Co on 2026-01-31 with Visa ending in 4242.',
        'Pro, 5 seats: 5 × 3,000 JPY = 15,000 JPY',
        'Subtotal: 15,000 JPY',
        'Discount (LAUNCH): -500 JPY',
        'Total: 14,500 JPY',
        'Credit applied: -1,000 JPY',
        'Amount due: 13,500 JPY',
        'Amount paid: 13,500 JPY',
        expect.stringContaining(`${baseUrl}/v1/invoices/${invoice.id}/pdf`),
      ],
    });
    expect(mail).toMatchObject({
      attachment: { kind: 'invoice', organization_id: ada.organizationId, id: invoice.id },
    });
    expect(mail?.link).toBeUndefined();
    expect(await receiptsTo(ada.email)).toEqual([]);
  });

  it('goes to admins and billing members where no address was given, and to no other', async () => {
    const billing = await joinOrganization(test, ada, 'billing');
    const member = await joinOrganization(test, ada, 'member');
    const invoice = makeInvoiceRow(ada.organizationId, INVOICE);
    await test.database.transaction((tx) => queueReceipt(tx, tools(), payerWith(null), invoice));
    const counts = await Promise.all([ada, billing, member].map(async ({ email }) => (await receiptsTo(email)).length));
    expect(counts).toEqual([1, 1, 0]);
  });

  it('is not written for an invoice of nothing', async () => {
    const invoice = makeInvoiceRow(ada.organizationId, { amount_due: 0, paid_with: null });
    await test.database.transaction((tx) => queueReceipt(tx, tools(), payerWith('nothing@a.example'), invoice));
    expect(await test.mailsTo('nothing@a.example')).toEqual([]);
  });

  it('reaches one address ten times an hour, and leads nobody astray by a name', async () => {
    const payer = payerWith('stranger@a.example', 'Win at www.evil.example');
    const invoice = makeInvoiceRow(ada.organizationId, INVOICE);
    for (let count = 0; count < 12; count += 1) {
      await test.database.transaction((tx) => queueReceipt(tx, tools(), payer, invoice));
    }
    const mails = await receiptsTo('stranger@a.example');
    expect(mails).toHaveLength(10);
    expect(JSON.stringify(mails)).not.toContain('evil');
  });

  it('leaves the lines that are too many for a mail to the PDF', async () => {
    const line = { description: 'Pro', quantity: 1, unit_amount: 1, amount: 1 };
    const invoice = makeInvoiceRow(ada.organizationId, { lines: Array.from({ length: 60 }, () => line) });
    await test.database.transaction((tx) => queueReceipt(tx, tools(), payerWith('many@a.example'), invoice));
    const [mail] = await receiptsTo('many@a.example');
    expect(mail?.paragraphs).toHaveLength(56);
    expect(mail?.paragraphs[51]).toBe('And 10 more lines. The PDF of the invoice lists all of them.');
  });
});

describe('the notice of a failed payment', () => {
  const failed = async (recipient: string, nextAttemptAt: string | null, { lines } = INVOICE) => {
    const invoice = makeInvoiceRow(ada.organizationId, { ...INVOICE, lines, status: 'open' });
    const charge = { declineCode: 'insufficient_funds', nextAttemptAt, canBePaid: true };
    await test.database.transaction((tx) => queuePaymentFailed(tx, tools(), payerWith(recipient), invoice, charge));
    return (await receiptsTo(recipient, 'payment-failed'))[0];
  };

  it('says why, how much is due and when it is tried again', async () => {
    const mail = await failed('late@a.example', '2026-02-02T12:00:00.000Z');
    expect(mail?.subject).toBe('Your payment for invoice ACME-000007 failed');
    expect(mail?.paragraphs.slice(0, 2)).toEqual([
      'The payment of 13,500 JPY for invoice ACME-000007 of Ada & Co was declined. Reason: insufficient_funds.',
      'We will retry the payment on 2026-02-02. To pay now, set a different default payment method.',
    ]);
  });

  it('asks for another card where this one is not tried again', async () => {
    expect((await failed('last@a.example', null))?.paragraphs[1]).toContain('We will not retry this card.');
  });

  it('mentions no attachment, as it has none, however many lines the invoice has', async () => {
    const lines = Array.from({ length: 60 }, () => INVOICE.lines).flat();
    const mail = await failed('long@a.example', null, { ...INVOICE, lines });
    expect(mail?.paragraphs).toContain('And 10 more lines. The PDF of the invoice lists all of them.');
    expect(JSON.stringify(mail)).not.toContain('attached');
  });
});
