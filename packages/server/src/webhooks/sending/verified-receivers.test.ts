import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { startSendingWorld } from '../../../test/harness/sending-world.ts';
import { answerWith } from '../../../test/harness/tls-receiver.ts';

const { attempt, attemptAt, timeOut, after, receiver, sender } = startSendingWorld();

async function openTcp(behave: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    behave(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(async () => {
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

  it('is not used without a trusted authority', async () => {
    expect(await attempt(fine, {}, { extraCa: undefined })).toMatchObject({ error: 'tls_error', address: '127.0.0.1' });
  });

  it('is verified even if the environment disables verification', async () => {
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    try {
      expect(await attempt(fine, {}, { extraCa: undefined })).toMatchObject({ error: 'tls_error' });
    } finally {
      delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    }
  });

  it('is not used with a receiver of another name', async () => {
    const { port } = await receiver(fine);
    const { send } = sender();
    const url = `https://other.test:${port}/`;
    expect(await send({ url, headers: {}, body: '' })).toMatchObject({ statusCode: null, error: 'tls_error' });
  });

  it('is not used in a version before 1.2', async () => {
    const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
    expect(await attempt(fine, old)).toMatchObject({ error: 'tls_error' });
  });

  it('is not used with a receiver that supports only HTTP/2', async () => {
    expect(await attempt(fine, { ALPNProtocols: ['h2'] })).toMatchObject({ error: 'tls_error' });
  });

  it('is not used with a receiver that requires a client certificate', async () => {
    const result = await attempt(fine, { requestCert: true, rejectUnauthorized: true });
    expect(result).toMatchObject({ statusCode: null });
    expect(['tls_error', 'connection_reset']).toContain(result.error);
  });

  it('is waited for only within the time to connect', async () => {
    const { promise: greeted, resolve: hasGreeted } = Promise.withResolvers<void>();
    const port = await openTcp((socket) => socket.once('data', () => hasGreeted()));
    const attempt = attemptAt(port);
    await greeted;
    expect(await timeOut(attempt)).toMatchObject({
      error: 'connect_timeout',
      address: null,
    });
  });

  it('fails if the receiver speaks plain HTTP or garbage, or hangs up', async () => {
    const plain = await openTcp((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'));
    expect(await attemptAt(plain)).toMatchObject({ statusCode: null, error: 'tls_error' });
    const closing = await openTcp((socket) => socket.destroy());
    expect(await attemptAt(closing)).toMatchObject({ statusCode: null, error: 'connection_reset' });
  });
});
