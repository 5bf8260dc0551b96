import { request } from 'node:https';
import type { Target } from './load-plan.ts';

/** An answer as it came. */
export interface RawAnswer {
  status: number;
  /** Name, value, name, value, as they came. */
  rawHeaders: readonly string[];
  body: string;
}

/** One request outside the measurement. Throws when the answer is no success. */
export function ask(
  target: Target,
  method: 'GET' | 'POST',
  path: string,
  token: string | undefined,
  content?: unknown,
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        host: 'localhost',
        port: target.port,
        ca: target.ca,
        method,
        path,
        headers: {
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(content === undefined ? {} : { 'content-type': 'application/json' }),
        },
      },
      (response) => {
        response.setEncoding('utf8');
        let body = '';
        response.on('data', (chunk: string) => {
          body += chunk;
        });
        response.on('end', () => {
          const status = response.statusCode ?? 0;
          if (status < 300) resolve({ status, rawHeaders: response.rawHeaders, body });
          else reject(new Error(`${method} ${path} answered ${status}: ${body}`));
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(content === undefined ? undefined : JSON.stringify(content));
  });
}
