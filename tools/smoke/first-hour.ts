import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { importJWK, jwtVerify } from 'jose';
import type { FreshService } from './fresh-service.ts';

interface Step {
  promise: string;
  prove(service: FreshService): Promise<void>;
}

const PASSWORD = 'quill-harbor-42-lantern';
const machine = (letter: string) => `hw_${letter.repeat(32)}`;

/** What one step leaves for the next. */
const bought = { token: '', licenseKey: '' };

/** What the README and the tutorials promise for the first hour, in their order. */
export const HOUR: readonly Step[] = [
  {
    promise: 'the command that the first start prints takes a seat',
    async prove(service) {
      const { token, licenseKey } = service.demonstration;
      const body = { license_key: licenseKey, hardware_id: machine('0') };
      const { data } = await service.call('POST', `${service.sandboxUrl}/v1/licenses/acquire`, { token, body });
      assert.match(data.session_id, /^sess_/);
    },
  },
  {
    promise: 'the API reference loads',
    async prove(service) {
      assert.match((await service.call('GET', `${service.productionUrl}/docs`)).bytes.toString(), /<html/);
      const document = JSON.parse(
        (await service.call('GET', `${service.sandboxUrl}/v1/openapi.json`)).bytes.toString(),
      );
      assert.equal(document.openapi, '3.1.0');
    },
  },
  {
    promise: 'a customer registers and buys two seats with a test card',
    async prove(service) {
      const account = { email: 'buyer@example.com', password: PASSWORD, name: 'Jane Doe' };
      const registered = await service.call('POST', `${service.sandboxUrl}/v1/auth/register`, { body: account });
      bought.token = registered.data.access_token;
      const { data: plans } = await service.call('GET', `${service.sandboxUrl}/v1/plans`);
      const pro = plans.find(({ name }: { name: string }) => name === 'Pro');
      const order = { plan_id: pro.id, quantity: 2, payment_method_id: 'pm_card_visa' };
      const { token } = bought;
      const { data } = await service.call('POST', `${service.sandboxUrl}/v1/subscriptions`, { token, body: order });
      const path = `${service.sandboxUrl}/v1/subscriptions/${data.id}`;
      const { data: subscription } = await service.call('GET', path, { token });
      assert.equal(subscription.status, 'active');
      const license = await service.call('GET', `${service.sandboxUrl}/v1/licenses/${subscription.license_id}`, {
        token,
      });
      bought.licenseKey = license.data.key;
    },
  },
  {
    promise: 'the invoice is paid and has a PDF',
    async prove(service) {
      const { token } = bought;
      const { data: invoices } = await service.call('GET', `${service.sandboxUrl}/v1/invoices`, { token });
      assert.equal(invoices.length, 1);
      assert.equal(invoices[0].status, 'paid');
      const pdf = await service.call('GET', `${service.sandboxUrl}/v1/invoices/${invoices[0].id}/pdf`, { token });
      assert.equal(pdf.bytes.subarray(0, 5).toString(), '%PDF-');
    },
  },
  {
    promise: 'two machines get a seat that they can check offline, and the third is refused',
    async prove(service) {
      const scopes = ['manage:licenses', 'read:licenses'];
      const made = await service.call('POST', `${service.sandboxUrl}/v1/api-tokens`, {
        token: bought.token,
        body: { name: 'studio', scopes },
      });
      const { token } = made.data;
      const acquire = (letter: string, status?: number) =>
        service.call('POST', `${service.sandboxUrl}/v1/licenses/acquire`, {
          token,
          body: { license_key: bought.licenseKey, hardware_id: machine(letter) },
          ...(status === undefined ? {} : { status }),
        });
      const [seat] = await Promise.all([acquire('a'), acquire('b')]);
      await acquire('c', 409);
      const published = await service.call('GET', `${service.sandboxUrl}/v1/licenses/public-key`, { token });
      const { jwk, issuer, audience } = published.data;
      const key = await importJWK(jwk, 'RS256');
      const { payload } = await jwtVerify(seat.data.license_token, key, { issuer, audience, algorithms: ['RS256'] });
      assert.equal(payload.hw, machine('a'));
      const session = { session_id: seat.data.session_id };
      await service.call('POST', `${service.sandboxUrl}/v1/licenses/heartbeat`, { token, body: session });
      await service.call('POST', `${service.sandboxUrl}/v1/licenses/release`, { token, body: session });
      await acquire('c');
    },
  },
  {
    promise: 'the command brings a webhook to a server on this machine',
    async prove(service) {
      const received: string[] = [];
      const receiver = createServer(async (request, response) => {
        const chunks = await request.toArray();
        received.push(JSON.parse(Buffer.concat(chunks).toString()).type);
        response.end('ok');
      }).listen(0, '127.0.0.1');
      await once(receiver, 'listening');
      const address = receiver.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      const access = { SEATHOLD_TOKEN: bought.token, SEATHOLD_SANDBOX_URL: service.sandboxUrl };
      const words = ['webhooks', 'listen', '--sandbox', '--forward-to', `http://127.0.0.1:${port}`];
      let printed = '';
      const listening = service.spawn(words, access, (chunk) => {
        printed += chunk;
      });
      try {
        // Each one makes an event, until the command has begun to follow them.
        await waitFor(async () => {
          const seat = { license_key: bought.licenseKey, hardware_id: machine('c') };
          const { token } = bought;
          const { data } = await service.call('POST', `${service.sandboxUrl}/v1/licenses/acquire`, {
            token,
            body: seat,
          });
          const session = { session_id: data.session_id };
          await service.call('POST', `${service.sandboxUrl}/v1/licenses/release`, { token, body: session });
          return received.includes('license.seat.acquired');
        }, `no webhook arrived; the command printed: ${printed}`);
      } finally {
        listening.kill();
        receiver.close();
        receiver.closeAllConnections();
      }
    },
  },
  {
    promise: 'the operator issues a license in production, and a seat of it lives',
    async prove(service) {
      const account = { email: 'jane@example.com', password: PASSWORD, name: 'Jane Doe' };
      const { data } = await service.call('POST', `${service.productionUrl}/v1/auth/register`, { body: account });
      const token = data.access_token;
      await service.run(['license', 'issue', '--organization', account.email, '--product', 'studio', '--seats', '2']);
      const { data: licenses } = await service.call('GET', `${service.productionUrl}/v1/licenses`, { token });
      const body = { license_key: licenses[0].key, hardware_id: machine('0') };
      const seat = await service.call('POST', `${service.productionUrl}/v1/licenses/acquire`, { token, body });
      const session = { session_id: seat.data.session_id };
      await service.call('POST', `${service.productionUrl}/v1/licenses/heartbeat`, { token, body: session });
      await service.call('POST', `${service.productionUrl}/v1/licenses/release`, { token, body: session });
    },
  },
  {
    promise: 'seathold conformance finds that the sandbox keeps the contract of the API',
    async prove(service) {
      const scopes = ['read:profile', 'read:projects', 'write:projects', 'read:org', 'admin:org', 'read:licenses'];
      const made = await service.call('POST', `${service.sandboxUrl}/v1/api-tokens`, {
        token: bought.token,
        body: { name: 'conformance', scopes: [...scopes, 'manage:licenses'] },
      });
      await service.run(['conformance', '--url', service.sandboxUrl], { SEATHOLD_TOKEN: made.data.token });
    },
  },
  {
    promise: 'seathold doctor finds nothing wrong',
    async prove(service) {
      await service.run(['doctor']);
    },
  },
];

async function waitFor(isDone: () => Promise<boolean>, failure: string): Promise<void> {
  for (let tries = 0; tries < 60; tries += 1) {
    if (await isDone()) {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error(failure);
}
