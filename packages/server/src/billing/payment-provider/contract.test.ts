import { expect, it, onTestFinished } from 'vitest';
import { startTestApp } from '../../../test/harness/index.ts';
import { describeProviderContract } from '../../../test/payment-provider/contract.ts';
import { playScript } from '../../../test/payment-provider/play-script.ts';
import { NOW_MS, type ProviderUnderTest } from '../../../test/payment-provider/provider-under-test.ts';
import { startStripeDouble } from '../../../test/stripe-double/index.ts';
import { createStripeProvider } from './stripe/create-stripe-provider.ts';
import { createTestProvider } from './test/create-test-provider.ts';

async function openStripe(): Promise<ProviderUnderTest> {
  const double = await startStripeDouble();
  const { apiBase, secretKey, webhookSecret } = double;
  return {
    provider: createStripeProvider({ apiBase, secretKey, webhookSecret }),
    playCustomer: async (clientSecret, outcome) => double.playCustomer(clientSecret, outcome),
    close: () => double.close(),
  };
}

async function createBuiltIn(): Promise<ProviderUnderTest> {
  const { database, masterKey, close } = await startTestApp({ environment: 'sandbox' });
  const provider = createTestProvider({ database, masterKey });
  return {
    provider,
    playCustomer: async (clientSecret, outcome) => {
      const played = await provider.cards.playCustomer(clientSecret, outcome, NOW_MS, undefined);
      if (typeof played === 'string') {
        throw new Error(played);
      }
    },
    close,
  };
}

describeProviderContract('stripe', openStripe);
describeProviderContract('test', createBuiltIn);

it('both providers give the same answers to the same script', async () => {
  const stripe = await openStripe();
  onTestFinished(() => stripe.close());
  const builtIn = await createBuiltIn();
  onTestFinished(() => builtIn.close());
  expect(await playScript(builtIn)).toEqual(await playScript(stripe));
});
