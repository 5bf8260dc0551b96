import { Seathold } from '../src/index.ts';
import { writeFile } from 'node:fs/promises';
const seathold = new Seathold({});

const { data: plans } = await seathold.plans.list();
const plan_id = plans.find(({ name }) => name === 'Pro')?.id ?? '';

const order = { plan_id, quantity: 10, payment_method_id: 'pm_card_visa' };
const { id, client_secret, requires_action } = await seathold.subscriptions.create(order, { idempotencyKey: 'order-4711' });
if (requires_action) {
  // Hand client_secret to the payment provider's library, in the customer's browser.
}

const { amount_due } = await seathold.subscriptions.preview(id, { quantity: 15 });
await seathold.subscriptions.update(id, { quantity: 15 });
await seathold.subscriptions.cancel(id);

for await (const invoice of seathold.invoices.list({ status: 'paid' })) {
  await writeFile(`${invoice.number}.pdf`, new Uint8Array(await seathold.invoices.getPdf(invoice.id)));
}
