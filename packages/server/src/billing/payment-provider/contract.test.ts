import { expect, it, onTestFinished } from 'vitest';
import { openTestApp } from '../../../test/harness/index.ts';
import { describeProviderContract } from '../../../test/payment-provider/contract.ts';
import { playScript } from '../../../test/payment-provider/play-script.ts';
import { NOW_MS, type ProviderUnderTest } from '../../../test/payment-provider/provider-under-test.ts';
import { openStripeDouble } from '../../../test/stripe-double/index.ts';
import { createStripeProvider } from './stripe/create-stripe-provider.ts';
import { createTestProvider } from './test/create-test-provider.ts';

async function openStripe(): Promise<ProviderUnderTest> {
  const double = await openStripeDouble();
  const { apiBase, secretKey, webhookSecret } = double;
  return {
    provider: createStripeProvider({ apiBase, secretKey, webhookSecret }),
    playCustomer: async (clientSecret, outcome) => double.playCustomer(clientSecret, outcome),
    close: () => double.close(),
  };
}

async function openBuiltIn(): Promise<ProviderUnderTest> {
  const { database, masterKey, close } = await openTestApp({ environment: 'sandbox' });
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
describeProviderContract('test', openBuiltIn);

it('both providers give the same answers to the same script', async () => {
  const stripe = await openStripe();
  onTestFinished(() => stripe.close());
  const builtIn = await openBuiltIn();
  onTestFinished(() => builtIn.close());
  expect(await playScript(builtIn)).toEqual(await playScript(stripe));
});
