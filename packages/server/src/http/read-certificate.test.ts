import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../config/index.ts';
import { type Listener, listen } from './listener/index.ts';
import { readCertificate } from './read-certificate.ts';

const DAY_MS = 86_400_000;

let dataDir: string;
let listener: Listener;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'seathold-certificate-'));
});
afterAll(async () => {
  await listener.close(0);
  await rm(dataDir, { recursive: true });
});

describe('the local certificate', () => {
  it('is renewed while the service runs, and open connections continue', async () => {
    const { config } = loadConfig({ SEATHOLD_DATA_DIR: dataDir });
    if (config === undefined) {
      throw new Error('the settings are wrong');
    }
    let nowMs = Date.now();
    const read = () => readCertificate(config, { nowMs: () => nowMs });
    const { cert, key } = await read();
    listener = await listen({
      host: '127.0.0.1',
      port: 0,
      cert,
      key,
      handler: (_request, response) => response.end('here'),
      onPlainHttp: (_request, response) => response.end(),
      onClientError: () => ({ status: 400, headers: {}, body: '' }),
    });
    const renew = async () => {
      const now = await read();
      listener.reloadCertificate(now.cert, now.key);
    };
    const before = await visit();
    nowMs += 59 * DAY_MS;
    await renew();
    expect((await visit()).expiresAtMs).toBe(before.expiresAtMs);

    nowMs += 2 * DAY_MS;
    await renew();
    const after = await visit();
    expect(after.expiresAtMs - before.expiresAtMs).toBeGreaterThan(60 * DAY_MS);
    expect(after.expiresAtMs - nowMs).toBeLessThanOrEqual(90 * DAY_MS);

    const answered = once(before.socket, 'data');
    before.socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    expect(String(await answered)).toContain('200 OK');
    for (const { socket } of [before, after]) {
      socket.destroy();
    }
  });
});

/** The expiry of the certificate shown to a new connection. */
async function visit(): Promise<{ socket: TLSSocket; expiresAtMs: number }> {
  // The TLS clock cannot be moved, so only the certificate's dates count here.
  const socket = connect({
    host: '127.0.0.1',
    port: listener.port,
    servername: 'localhost',
    rejectUnauthorized: false,
  });
  await once(socket, 'secureConnect');
  return { socket, expiresAtMs: Date.parse(socket.getPeerCertificate().valid_to) };
}
