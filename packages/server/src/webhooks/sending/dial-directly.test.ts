import { createSecureContext } from 'node:tls';
import { afterAll, expect, it } from 'vitest';
import { answerWith, makeReceiverCertificate, openTlsReceiver } from '../../../test/harness/tls-receiver.ts';
import { parseNetworks } from '../../networks/index.ts';
import { createGuard } from './address-guard.ts';
import { ATTEMPT_MS, dialDirectly } from './dial-directly.ts';
import { EarlyEnd } from './early-end.ts';

const certificate = await makeReceiverCertificate();
const receiver = await openTlsReceiver(certificate, answerWith('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'));
afterAll(() => receiver.close());

function dial(...addresses: string[]) {
  const networks = parseNetworks('127.0.0.0/8');
  const guard = createGuard(async () => addresses, networks.ok ? networks.networks : []);
  const connect = dialDirectly(guard, createSecureContext({ ca: certificate.ca }), 1_000);
  return connect(new URL(`https://r1.receiver.test:${receiver.port}/`), new EarlyEnd());
}

/** Blocks the event loop until the time of the first address is up, before its response can be read. */
async function blockWhileConnecting(): Promise<void> {
  // The connection starts before the event loop polls for responses.
  for (let turn = 0; turn < 50; turn += 1) {
    await new Promise<void>((resolve) => process.nextTick(resolve));
  }
  const until = performance.now() + ATTEMPT_MS + 100;
  while (performance.now() < until) {
    // Nothing else runs.
  }
}

it('an abandoned address is tried again if no other one answers', async () => {
  const dialling = dial('127.0.0.1', '127.0.0.2');
  await blockWhileConnecting();
  const { socket, address } = await dialling;
  socket.destroy();
  expect(address).toBe('127.0.0.1');
});

it('a host whose addresses all refuse is dialed once', async () => {
  await expect(dial('127.0.0.2', '127.0.0.3')).rejects.toThrow('connection_refused');
});
