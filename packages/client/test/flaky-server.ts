import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { type Fetch, Seathold, type SeatholdOptions } from '../src/index.ts';

export const BASE_URL = 'https://api.test';
const TOKEN = 'svc_test_7Kq2mN7Kq2mN7Kq2mN7Kq2mN7Kq2mN7Kq2mN7Kq2mN';

/** A request that the server received. */
export interface Received {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
}

type Answer = (response: ServerResponse, request: Received) => void;

/** A `fetch` that goes to a server without TLS: the client itself accepts only https addresses. */
export function fetchAt(url: string): Fetch {
  return (asked, request) => fetch(asked.replace(BASE_URL, url), request);
}

/**
 * A server that gives its requests these answers in order, repeating the last one forever, and a client that calls it.
 */
export async function startFlakyServer(answers: readonly Answer[], options: SeatholdOptions = {}) {
  const received: Received[] = [];
  const pauses: number[] = [];
  // On a busy machine, the end of a kept connection would cross a new request, which would fail.
  const server = createServer({ keepAliveTimeout: 600_000 }, async (request, response) => {
    const body = await text(request);
    const one = { method: request.method ?? '', path: request.url ?? '', headers: request.headers, body };
    received.push(one);
    answers[Math.min(received.length, answers.length) - 1]?.(response, one);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const seathold = createClient(fetchAt(url), pauses, options);
  return { seathold, received, pauses, url, server };
}

/** A client whose pauses are recorded instead of waited for. */
export function createClient(send: Fetch, pauses: number[], options: SeatholdOptions = {}): Seathold {
  const timing = {
    pause: async (milliseconds: number, signal: AbortSignal | undefined) => {
      pauses.push(milliseconds);
      signal?.throwIfAborted();
    },
    random: () => 0.5,
  };
  return new Seathold({ token: TOKEN, baseUrl: BASE_URL, fetch: send, ...options }, timing);
}

/** Answers a success with this data. */
export function answerData(data: unknown, status = 200): Answer {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'req_1' });
    response.end(JSON.stringify({ data, meta: {} }));
  };
}

/** Answers one page of a list. */
export function answerPage(data: unknown[], nextCursor: string | null): Answer {
  const pagination = { has_more: nextCursor !== null, next_cursor: nextCursor };
  return (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'x-request-id': 'req_1' });
    response.end(JSON.stringify({ data, pagination, meta: {} }));
  };
}

/** Refuses as the API does. */
export function answerError(status: number, code: string, headers: Record<string, string> = {}): Answer {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'req_1', ...headers });
    response.end(JSON.stringify({ error: { code, message: `It is ${code}.`, details: { field: 'name' } }, meta: {} }));
  };
}

/** Cuts the connection before anything is answered. */
export function cutOff(response: ServerResponse): void {
  response.destroy();
}
