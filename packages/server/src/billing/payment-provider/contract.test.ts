import { expect, it, onTestFinished } from 'vitest';
import { openTestApp } from '../../../test/harness/index.ts';
import { openStripeDouble } from '../../../test/stripe-double/index.ts';
import { describeProviderContract } from './contract.ts';
import { playScript } from './play-script.ts';
import { NOW_MS, type ProviderUnderTest } from './provider-under-test.ts';
import { openStripeProvider } from './stripe/open-stripe-provider.ts';
import { openTestProvider } from './test/open-test-provider.ts';

async function openStripe(): Promise<ProviderUnderTest> {
  const double = await openStripeDouble();
  const { apiBase, secretKey, webhookSecret } = double;
  return {
    provider: openStripeProvider({ apiBase, secretKey, webhookSecret }),
    playCustomer: async (clientSecret, outcome) => double.playCustomer(clientSecret, outcome),
    close: () => double.close(),
  };
}

async function openBuiltIn(): Promise<ProviderUnderTest> {
  const { database, masterKey, close } = await openTestApp({ environment: 'sandbox' });
  const provider = openTestProvider({ database, masterKey });
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

it('both providers say the same to the same script', async () => {
  const stripe = await openStripe();
  onTestFinished(() => stripe.close());
  const builtIn = await openBuiltIn();
  onTestFinished(() => builtIn.close());
  expect(await playScript(builtIn)).toEqual(await playScript(stripe));
});
