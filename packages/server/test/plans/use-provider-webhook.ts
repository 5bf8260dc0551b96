import { type Member, startTestApp, type TestApp } from '../harness/index.ts';
import { startStripeDouble } from '../stripe-double/index.ts';
import type { RecordedApi } from './recorded-api.ts';

const PATH = '/v1/providers/stripe/webhook';

/** Sends events of the provider to production, each twice: the sandbox has another provider. */
export async function useProviderWebhook(test: TestApp, api: RecordedApi, { organizationId }: Member): Promise<void> {
  const double = await startStripeDouble();
  const production = await startTestApp({
    beside: test,
    environment: 'production',
    hasInventedEvents: true,
    settings: double.settings,
  });
  const paid = double.collectElsewhere(100, 'usd', { ...RENEWAL, organization_id: organizationId });
  const events: Array<[string, { id: string; object: string }]> = [
    ...OBJECTS,
    ['payment_intent.succeeded', { id: paid, object: 'payment_intent' }],
  ];
  for (const [type, object] of events) {
    const { body, headers } = double.sign({ id: `evt_of_${object.id}`, type, object });
    for (let time = 0; time < 2; time += 1) {
      await api.callOf(production, 'POST', PATH, { body, headers });
    }
  }
  await production.close();
  await double.close();
}

/** These belong to nobody here: our own objects are also looked up at the provider, which takes no statement. */
const OBJECTS: ReadonlyArray<[string, { id: string; object: string }]> = [
  ['payment_intent.succeeded', { id: 'pi_of_nobody', object: 'payment_intent' }],
  ['payment_method.detached', { id: 'pm_of_nobody', object: 'payment_method' }],
];

/** For a planted, active subscription without recorded payments. */
const RENEWAL = {
  subscription_id: `sub_${'0'.repeat(25)}4`,
  period_index: '4',
  period_start: '2026-01-01T00:00:00.000Z',
  purpose: 'renewal',
  attempt: '1',
};
