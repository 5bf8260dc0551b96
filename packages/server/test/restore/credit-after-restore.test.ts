import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execute } from '../harness/index.ts';
import { RestoreWorld } from './restore-world.ts';

const MONTH = 14_500;
const FINANCE = 'finance@vendor.example.com';
const limits = { timeout: 300_000 };

let world: RestoreWorld;
beforeAll(async () => {
  world = await RestoreWorld.start({ SEATHOLD_FINANCE_EMAIL: FINANCE });
}, 300_000);
afterAll(() => world.close());

async function metric(): Promise<string | undefined> {
  const text = await (await fetch(`${world.shop.app.api.baseUrl}/metrics`)).text();
  return text
    .split('\n')
    .find((line) => line.startsWith('seathold_late_payments_total') && line.includes('lost_record'));
}

describe('a charge with another amount whose record was lost', () => {
  it('becomes credit, and is reported once to the customer, finance, programs and operators', limits, async () => {
    const ada = await world.shop.app.register();
    const id = await world.shop.buy(ada, world.double.makeCard('pm_card_visa'));
    await world.backup();
    expect((await world.shop.change(ada, id, { quantity: 10 })).status).toBe(200);
    await world.travel(31, ada);
    const charge = world.double.charges.findLast((each) => each.metadata.organization_id === ada.organizationId);

    await world.restore();
    await world.moveClocks(31, ada);
    await world.shop.app.runJobs();
    const { app: test } = world.shop;
    const [payment] = await execute<{ id: string; provider_ref: string }>(
      test.database,
      'select id, provider_ref from payments where organization_id = $1 and amount = $2 and invoice_id is null',
      [ada.organizationId, 2 * MONTH],
    );
    expect(payment?.provider_ref).toBe(charge?.intentId);
    const entries = await execute(
      test.database,
      `select amount::int as amount, payment_id from billing_credit_entries
        where organization_id = $1 and reason = 'late_payment'`,
      [ada.organizationId],
    );
    expect(entries).toEqual([{ amount: 2 * MONTH, payment_id: payment?.id }]);
    const voided = (await world.shop.invoices(ada)).find(({ status }: { status: string }) => status === 'void');
    expect(await world.shop.told(ada, 'payment.credited')).toMatchObject([
      {
        payment_id: payment?.id,
        subscription_id: id,
        invoice_id: voided?.id,
        amount: 2 * MONTH,
        currency: 'usd',
        reason: 'lost_record',
        credit_balance: 2 * MONTH,
      },
    ]);
    const mails = (await test.mailsTo(ada.email)).filter(({ kind }) => kind === 'late-payment');
    expect(mails.map(({ subject }) => subject)).toEqual(['Your payment of 290.00 USD was added to your credit']);
    expect(mails[0]?.paragraphs.join(' ')).toContain('lost our record of it');
    expect(mails[0]?.paragraphs.join(' ')).toContain(voided?.number);
    const finance = await test.mailsTo(FINANCE);
    expect(finance.map(({ subject }) => subject)).toEqual([
      'A payment of 290.00 USD without a record was added to credit',
    ]);
    expect(finance[0]?.table?.map(({ value }) => value)).toContain(payment?.provider_ref);
    expect(await metric()).toMatch(/ 1$/);
    const alarms = test.logLines.map((line) => JSON.parse(line)).filter((line) => line.lateness === 'lost_record');
    expect(alarms).toMatchObject([{ level: 50, payment: payment?.id, amount: 2 * MONTH }]);
    expect(await world.credit(ada)).toBe(MONTH);
  });
});
