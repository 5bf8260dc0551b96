import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  answerWith,
  makeReceiverCertificate,
  openTlsReceiver,
  type ReceiverCertificate,
} from '../../../test/harness/tls-receiver.ts';
import { parseNetworks } from '../../http/index.ts';
import { type AttemptResult, openSender, type SenderOptions } from './sender.ts';

let certificate: ReceiverCertificate;
const undo: Array<() => Promise<void>> = [];

beforeAll(async () => {
  certificate = await makeReceiverCertificate();
});

afterEach(async () => {
  await Promise.all(undo.splice(0).map((close) => close()));
});

const TIMEOUT_MS = 700;

/** Sends one attempt to a receiver that behaves so, and holds it to its time and to letting go of the connection. */
async function attempt(
  behave: (socket: TLSSocket) => void,
  receiverOptions: Parameters<typeof openTlsReceiver>[2] = {},
  senderOptions: Partial<SenderOptions> = {},
): Promise<AttemptResult> {
  const receiver = await openTlsReceiver(certificate, behave, receiverOptions);
  undo.push(receiver.close);
  const result = await attemptAt(receiver.port, senderOptions);
  await expect.poll(() => receiver.counts.open).toBeLessThanOrEqual(result.error === null ? 1 : 0);
  return result;
}

async function attemptAt(port: number, options: Partial<SenderOptions> = {}): Promise<AttemptResult> {
  const networks = parseNetworks('127.0.0.1');
  const { send, close } = openSender({
    timeoutMs: TIMEOUT_MS,
    allowNetworks: networks.ok ? networks.networks : [],
    extraCa: certificate.ca,
    resolve: async () => ['127.0.0.1'],
    ...options,
  });
  undo.push(close);
  const result = await send({ url: `https://receiver.test:${port}/`, headers: {}, body: '{}' });
  expect(result.durationMs).toBeLessThan((options.timeoutMs ?? TIMEOUT_MS) + 400);
  return result;
}

async function openTcp(behave: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    behave(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  undo.push(async () => {
    server.close();
    for (const socket of sockets) {
      socket.destroy();
    }
  });
  const address = server.address();
  return address !== null && typeof address === 'object' ? address.port : 0;
}

describe('TLS', () => {
  const fine = answerWith('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');

  it('is not spoken without an authority that is trusted', async () => {
    expect(await attempt(fine, {}, { extraCa: undefined })).toMatchObject({ error: 'tls_error', address: '127.0.0.1' });
  });

  it('is verified even where the environment switches that off', async () => {
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    try {
      expect(await attempt(fine, {}, { extraCa: undefined })).toMatchObject({ error: 'tls_error' });
    } finally {
      delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    }
  });

  it('is not spoken with a receiver of another name', async () => {
    const receiver = await openTlsReceiver(certificate, fine);
    undo.push(receiver.close);
    const networks = parseNetworks('127.0.0.1');
    const { send, close } = openSender({
      timeoutMs: TIMEOUT_MS,
      allowNetworks: networks.ok ? networks.networks : [],
      extraCa: certificate.ca,
      resolve: async () => ['127.0.0.1'],
    });
    undo.push(close);
    const url = `https://other.test:${receiver.port}/`;
    expect(await send({ url, headers: {}, body: '' })).toMatchObject({ statusCode: null, error: 'tls_error' });
  });

  it('is not spoken in a version before 1.2', async () => {
    const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
    expect(await attempt(fine, old)).toMatchObject({ error: 'tls_error' });
  });

  it('is not spoken with a receiver of HTTP/2 alone', async () => {
    expect(await attempt(fine, { ALPNProtocols: ['h2'] })).toMatchObject({ error: 'tls_error' });
  });

  it('is not spoken with a receiver that wants a certificate of ours', async () => {
    const result = await attempt(fine, { requestCert: true, rejectUnauthorized: true });
    expect(result).toMatchObject({ statusCode: null });
    expect(['tls_error', 'connection_reset']).toContain(result.error);
  });

  it('is waited for within the time to connect only', async () => {
    const port = await openTcp(() => undefined);
    expect(await attemptAt(port, { timeoutMs: 300 })).toMatchObject({
      error: 'connect_timeout',
      address: null,
    });
  });

  it('is not found where the receiver speaks plain HTTP, garbage, or hangs up', async () => {
    const plain = await openTcp((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'));
    expect(await attemptAt(plain)).toMatchObject({ statusCode: null, error: 'tls_error' });
    const closing = await openTcp((socket) => socket.destroy());
    expect(await attemptAt(closing)).toMatchObject({ statusCode: null, error: 'connection_reset' });
  });
});
