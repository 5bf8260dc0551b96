import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer, request, type Server } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { listenHere, portOf } from './listen.ts';

/** The certificate and the address of the service. */
interface Victim {
  readonly key: string;
  readonly cert: string;
  readonly ca: string;
  readonly port: number;
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Forwards the request to the service. */
type Ask = () => Promise<Answer>;
type Lie = (ask: Ask, response: ServerResponse) => void | Promise<void>;

/**
 * Answers instead of the service, with its certificate, like a proxy that inspects connections: with pages that are not
 * the service's, with half a response, twice, late, or not at all after the service has done its work.
 */
export class Liar {
  readonly #server: Server;

  private constructor(victim: Victim) {
    this.#server = createServer({ key: victim.key, cert: victim.cert }, (asked, response) => {
      void lieAbout(victim, asked, response).catch(() => response.destroy());
    });
    this.#server.on('tlsClientError', (_, socket) => socket.destroy());
  }

  static async start(victim: Victim): Promise<Liar> {
    const liar = new Liar(victim);
    await listenHere(liar.#server);
    return liar;
  }

  get port(): number {
    return portOf(this.#server);
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

async function lieAbout(victim: Victim, asked: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await readAll(asked);
  const lie = LIES[Math.floor(Math.random() * LIES.length)];
  await lie?.(() => sendOn(victim, asked, body), response);
}

const PAGE = '<!doctype html><title>Welcome</title><p>Please log in to use the network of this hotel.</p>';

const LIES: readonly Lie[] = [
  (_, response) => show(response, 200, { 'content-type': 'text/html' }, PAGE),
  (_, response) => show(response, 302, { location: 'http://login.hotel.example/' }, ''),
  (_, response) => show(response, 401, { 'content-type': 'text/html' }, PAGE),
  (_, response) => show(response, 404, { 'content-type': 'text/html' }, PAGE),
  (_, response) => show(response, 409, { 'content-type': 'application/json' }, '{"error":"conflict"}'),
  (_, response) => show(response, 502, { 'content-type': 'text/html' }, PAGE),
  // A page that asks for a far longer wait than a seat can bear.
  (_, response) => show(response, 503, { 'content-type': 'text/html', 'retry-after': '3600' }, PAGE),
  (_, response) => show(response, 429, { 'content-type': 'text/html', 'retry-after': '3600' }, PAGE),
  (_, response) => show(response, 200, { 'content-type': 'application/json' }, '{}'),
  (_, response) => show(response, 200, { 'content-type': 'application/json' }, '{"data":'),
  // A clock that is years off, on a page that is not the service's.
  (_, response) => show(response, 500, { date: 'Fri, 01 Jan 2038 00:00:00 GMT' }, PAGE),
  (_, response) => void response.destroy(),
  // The service did the work, but nobody learns of it.
  async (ask, response) => {
    await ask();
    response.destroy();
  },
  async (ask, response) => {
    const { status, headers, body } = await ask();
    response.writeHead(status, headers);
    response.write(body.subarray(0, Math.floor(body.length / 2)));
    await sleep(50);
    response.destroy();
  },
  // The request arrives twice.
  async (ask, response) => {
    await ask();
    repeat(response, await ask());
  },
  async (ask, response) => {
    const answer = await ask();
    await sleep(1_000 + Math.random() * 5_000);
    repeat(response, answer);
  },
  async (ask, response) => repeat(response, await ask()),
];

function show(response: ServerResponse, status: number, headers: Record<string, string>, body: string): void {
  response.writeHead(status, headers).end(body);
}

function repeat(response: ServerResponse, { status, headers, body }: Answer): void {
  const { connection: _connection, 'transfer-encoding': _encoding, ...kept } = headers;
  response.writeHead(status, kept).end(body);
}

function sendOn({ port, ca }: Victim, { method, url, headers }: IncomingMessage, body: Buffer): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const options = { port, ca, method, path: url, headers, agent: false, host: '127.0.0.1', servername: 'localhost' };
    const sent = request(options, (answer) => {
      const { statusCode: status = 0, headers: given } = answer;
      readAll(answer).then((content) => resolve({ status, headers: given, body: content }), reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

async function readAll(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) {
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
