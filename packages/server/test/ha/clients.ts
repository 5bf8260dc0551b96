import { type ClientHttp2Session, connect } from 'node:http2';
import { Agent, request } from 'node:https';

/** The outcome of a request. A broken connection is a failure, and so is any status of 500 and above. */
export interface Answer {
  status: number;
  retryAfter: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: a caller reads the fields it expects, and fails if they are missing.
  body: any;
}

export interface Call {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  token?: string | undefined;
  body?: unknown;
}

/** A client that sends each request once: a request without an answer has failed. */
export interface LoadClient {
  /** Throws if the connection broke. */
  call(call: Call): Promise<Answer>;
  close(): void;
}

/** Keeps its connections, and closes each that a response asks it to close. */
export function createHttp1Client(origin: string, ca: string, connections: number): LoadClient {
  const agent = new Agent({ keepAlive: true, maxSockets: connections, ca, servername: 'localhost' });
  return {
    call: ({ method, path, token, body }) =>
      new Promise((resolve, reject) => {
        const sent = request(
          `${origin}${path}`,
          { agent, method, headers: headersOf(token, body), timeout: PATIENCE_MS },
          (response) => {
            const chunks: Buffer[] = [];
            response.on('data', (chunk: Buffer) => chunks.push(chunk));
            response.on('error', reject);
            response.on('end', () => {
              const { statusCode = 0, headers } = response;
              resolve({ status: statusCode, retryAfter: headers['retry-after'], body: parse(chunks) });
            });
          },
        );
        sent.on('timeout', () => sent.destroy(new Error('no answer in time')));
        sent.on('error', reject);
        sent.end(body === undefined ? undefined : JSON.stringify(body));
      }),
    close: () => agent.destroy(),
  };
}

/** One session. After a GOAWAY, further requests go over another one, as in every HTTP/2 client. */
export function createHttp2Client(origin: string, ca: string): LoadClient {
  let session: ClientHttp2Session | undefined;
  const current = (): ClientHttp2Session => {
    if (session === undefined || session.closed || session.destroyed) {
      const opened = connect(origin, { ca, servername: 'localhost' });
      session = opened;
      opened.on('error', () => undefined);
      opened.on('goaway', () => {
        if (session === opened) {
          session = undefined;
        }
        opened.close();
      });
    }
    return session;
  };
  return {
    call: ({ method, path, token, body }) =>
      new Promise((resolve, reject) => {
        const stream = current().request({ ':method': method, ':path': path, ...headersOf(token, body) });
        let status = 0;
        let retryAfter: string | undefined;
        const chunks: Buffer[] = [];
        stream.setTimeout(PATIENCE_MS, () => stream.destroy(new Error('no answer in time')));
        stream.on('response', (headers) => {
          status = headers[':status'] ?? 0;
          retryAfter = headers['retry-after'];
        });
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('error', reject);
        stream.on('close', () =>
          status === 0
            ? reject(new Error(`the stream was closed with code ${stream.rstCode}`))
            : resolve({ status, retryAfter, body: parse(chunks) }),
        );
        stream.end(body === undefined ? undefined : JSON.stringify(body));
      }),
    close: () => session?.destroy(),
  };
}

/** Longer than the service needs in the worst case. */
const PATIENCE_MS = 30_000;

function headersOf(token: string | undefined, body: unknown): Record<string, string> {
  return {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    // Otherwise Node.js sends the body of a DELETE without its length.
    ...(body === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(JSON.stringify(body))) }),
  };
}

function parse(chunks: readonly Buffer[]): unknown {
  const text = Buffer.concat(chunks).toString();
  return text.startsWith('{') ? JSON.parse(text) : text;
}
