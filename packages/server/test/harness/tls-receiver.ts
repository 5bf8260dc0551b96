import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type TLSSocket, type TlsOptions } from 'node:tls';
import { ensureLocalCertificate } from '../../src/security/index.ts';

/** Certificates for receivers of webhooks: an authority, and one certificate for localhost and *.receiver.test. */
export interface ReceiverCertificate {
  ca: string;
  cert: string;
  key: string;
}

export async function makeReceiverCertificate(): Promise<ReceiverCertificate> {
  const dir = await mkdtemp(join(tmpdir(), 'seathold-receiver-'));
  const made = await ensureLocalCertificate({ dir, hostnames: ['receiver.test', '*.receiver.test'], now: new Date() });
  await rm(dir, { recursive: true });
  return { ca: made.caPem, cert: made.certPem, key: made.keyPem };
}

/** A server that sends what the test wants, over TLS. */
export interface TlsReceiver {
  port: number;
  /** How many connections have been opened so far, and how many are open now. */
  counts: { opened: number; open: number; names: Array<string | false | null> };
  close(): Promise<void>;
}

/** Opens a receiver on loopback. `behave` is called with each connection and its number, starting from one. */
export async function openTlsReceiver(
  { cert, key }: ReceiverCertificate,
  behave: (socket: TLSSocket, number: number) => void,
  options: TlsOptions & { host?: string } = {},
): Promise<TlsReceiver> {
  const counts: TlsReceiver['counts'] = { opened: 0, open: 0, names: [] };
  const sockets = new Set<Socket>();
  const server = createServer({ cert, key, ...options }, (socket) => {
    counts.opened += 1;
    counts.open += 1;
    counts.names.push(socket.servername);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      counts.open -= 1;
    });
    behave(socket, counts.opened);
  });
  server.on('tlsClientError', () => undefined);
  // Sockets that never finish their handshake must be closed as well.
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, options.host ?? '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') {
    throw new Error('the receiver does not listen');
  }
  return {
    port: address.port,
    counts,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) {
        socket.destroy();
      }
      await closed;
    },
  };
}

/** Answers every request on the connection with the same bytes, once its whole body has arrived. */
export function answerWith(answer: string | Buffer): (socket: TLSSocket) => void {
  return (socket) => onRequest(socket, () => socket.write(answer));
}

/** Calls back with the text of each complete request. */
export function onRequest(socket: TLSSocket, callback: (text: string) => void): void {
  let text = '';
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
    for (let end = endOfRequest(text); end !== undefined; end = endOfRequest(text)) {
      const whole = text.slice(0, end);
      text = text.slice(end);
      callback(whole);
    }
  });
}

function endOfRequest(text: string): number | undefined {
  const head = text.indexOf('\r\n\r\n');
  if (head === -1) {
    return undefined;
  }
  const length = Number(/content-length: (\d+)/i.exec(text.slice(0, head))?.[1] ?? 0);
  const end = head + 4 + length;
  return text.length >= end ? end : undefined;
}
