import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureLocalCertificate } from '../../src/security/index.ts';

/** A complete request that the receiver got. */
export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** When the body had arrived, in milliseconds since 1970. */
  atMs: number;
  event: {
    id: string;
    type: string;
    created: string;
    data: { object: Record<string, unknown> };
    organization_id: string;
  };
}

/** How the receiver answers. By default with 200. A behavior that never answers hangs. */
export type Behavior = (received: Received, response: ServerResponse) => void;

/** A webhook receiver with TLS on loopback, like a customer's. */
export interface WebhookReceiver {
  /** A separate address per path. */
  url(path?: string): string;
  /** The received requests, in order of arrival. */
  received: Received[];
  /** Changes how it answers from now on. */
  behave(behavior: Behavior): void;
  /** Lets requests hang from now on, until the test answers them with these responses. */
  hold(): ServerResponse[];
  /** The settings that make an application deliver to it. */
  settings: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Starts a receiver with its own certificate authority. */
export async function startReceiver(): Promise<WebhookReceiver> {
  const dir = join(tmpdir(), `seathold-receiver-${randomBytes(6).toString('hex')}`);
  const certificate = await ensureLocalCertificate({ dir, hostnames: ['localhost'], now: new Date() });
  const received: Received[] = [];
  let behavior: Behavior = (_received, response) => response.writeHead(200).end('ok');
  const server = createServer({ cert: certificate.certPem, key: certificate.keyPem }, async (request, response) => {
    const chunks: Buffer[] = [];
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    try {
      for await (const chunk of request) {
        chunks.push(chunk);
      }
    } catch {
      return;
    }
    const body = Buffer.concat(chunks).toString();
    const one = { path: request.url ?? '', headers: request.headers, body, atMs: Date.now(), event: JSON.parse(body) };
    received.push(one);
    behavior(one, response);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: (path = '/hooks') => `https://localhost:${port}${path}`,
    received,
    behave: (next) => {
      behavior = next;
    },
    hold: () => {
      const held: ServerResponse[] = [];
      behavior = (_received, response) => held.push(response);
      return held;
    },
    settings: {
      SEATHOLD_WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8,::1/128',
      SEATHOLD_WEBHOOK_CA_FILE: certificate.caPath,
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(dir, { recursive: true, force: true });
    },
  };
}
