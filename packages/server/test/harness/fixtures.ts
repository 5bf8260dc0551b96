import { test } from 'vitest';
import { startStripeDouble } from '../stripe-double/index.ts';
import { startTestApp, type TestOptions } from './index.ts';
import { Shop } from './shop.ts';
import { Till } from './till.ts';
import { Wallets } from './wallets.ts';
import { startReceiver } from './webhook-receiver.ts';

/**
 * Vitest's `it` with what most tests start from. `options` are those of its app. A file pays only for the fixtures that
 * its tests name. Each is created once for the file and closed after it, except for `ada`.
 *
 * Files share their process. A file that adds or overrides fixtures starts from a `createTest()` of its own, so that
 * the next one does not inherit them.
 */
export function createTest(options: TestOptions = {}) {
  return (
    test
      .extend('options', { scope: 'file' }, options)

      // An application with its own database.
      .extend('app', { scope: 'file' }, async ({ options }, { onCleanup }) => {
        const app = await startTestApp(options);
        onCleanup(() => app.close());
        return app;
      })

      // Another process of the same service.
      .extend('second', { scope: 'file' }, async ({ app, options }, { onCleanup }) => {
        const second = await startTestApp({ ...options, beside: app });
        onCleanup(() => second.close());
        return second;
      })

      // The sandbox alongside it, with another database.
      .extend('sandbox', { scope: 'file' }, async ({ options }, { onCleanup }) => {
        const sandbox = await startTestApp({ ...options, environment: 'sandbox' });
        onCleanup(() => sandbox.close());
        return sandbox;
      })

      // A person with their own organization: `admin` is the same for the whole file, and `ada` is new for each test.
      .extend('admin', { scope: 'file' }, ({ app }) => app.register())
      .extend('ada', ({ app }) => app.register())

      // For a sandbox: its organizations buy, store cards, and are charged.
      .extend('shop', { scope: 'file' }, ({ app }) => Shop.of(app))
      .extend('wallets', { scope: 'file' }, ({ app }) => Wallets.of(app))
      .extend('till', { scope: 'file' }, ({ app }) => new Till(app))

      // A Stripe that keeps its books in memory. `stripe.settings` makes an app use it.
      .extend('stripe', { scope: 'file' }, async ({}, { onCleanup }) => {
        const stripe = await startStripeDouble();
        onCleanup(() => stripe.close());
        return stripe;
      })

      // A customer's server for webhooks. `receiver.settings` makes an app deliver to it.
      .extend('receiver', { scope: 'file' }, async ({}, { onCleanup }) => {
        const receiver = await startReceiver();
        onCleanup(() => receiver.close());
        return receiver;
      })
  );
}

/** For tests of an app with the usual options. */
export const it = createTest();
