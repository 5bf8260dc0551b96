import { request } from 'node:http';
import { connect } from 'node:http2';
import type { Answer } from './answer.ts';
import type { CheckGroup } from './check.ts';
import { expectError, expectStatus, expectThat, Fault, LeftOut } from './expectations.ts';
import type { Probe } from './probe.ts';
import { parseJson } from './read-json.ts';

/** Contract section 2: HTTPS only, by HTTP/1.1 and HTTP/2. */
export const TRANSPORT: CheckGroup = {
  key: 'transport',
  title: '§2 Transport',
  checks: [
    {
      name: 'answers over HTTP/2 as well',
      run: async ({ baseUrl }) => {
        const status = await askByHttp2(baseUrl);
        if (status !== 200) {
          throw new Fault(`GET /v1/plans over HTTP/2: the status is ${status}, expected 200`);
        }
      },
    },
    {
      name: 'refuses plain HTTP with https_required, and redirects nowhere',
      run: async (probe) => expectError(await askInTheClear(probe), 403, 'https_required'),
    },
    {
      name: 'refuses plain HTTP before it looks at a token',
      run: async (probe) => {
        // Never the token of the run, because sending it unencrypted would leak it.
        const answer = await askInTheClear(probe, { authorization: `Bearer ${MADE_UP_TOKEN}` });
        expectError(answer, 403, 'https_required');
        expectThat(answer, answer.headers.location === undefined, 'there is a Location');
      },
    },
    {
      name: 'reports its health',
      run: async (probe) => {
        expectStatus(await probe.open('GET', '/healthz'), 200);
        expectStatus(await probe.open('GET', '/readyz'), 200);
      },
    },
  ],
};

/** Not a valid token. */
export const MADE_UP_TOKEN = `svc_test_${'conformance'.repeat(4).slice(0, 42)}`;

function askByHttp2(baseUrl: URL): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const session = connect(baseUrl.origin);
  const fail = (error: Error) => reject(new Fault(`GET /v1/plans over HTTP/2: ${error.message}`));
  session.on('error', fail);
  session.setTimeout(TIMEOUT_MS, () => fail(new Error('no answer')));
  const stream = session.request({ ':path': '/v1/plans' });
  stream.on('error', fail);
  stream.on('response', (headers) => resolve(Number(headers[':status'])));
  stream.resume().end();
  return promise.finally(() => session.destroy());
}

function askInTheClear({ baseUrl }: Probe, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  // A service behind a proxy at the standard port uses the standard port for plain HTTP.
  const options = { host: baseUrl.hostname.replace(/^\[|\]$/g, ''), port: baseUrl.port || '80', path: '/v1/plans' };
  const outgoing = request({ ...options, headers, timeout: TIMEOUT_MS }, (response) => {
    let text = '';
    response.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    response.on('error', reject);
    response.on('end', () =>
      resolve({
        what: `GET http://${baseUrl.hostname}:${options.port}/v1/plans`,
        status: response.statusCode ?? 0,
        headers: Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, String(value)])),
        text,
        body: parseJson(text),
        isAuthenticated: false,
      }),
    );
  });
  outgoing.on('timeout', () => outgoing.destroy(new Error('no answer')));
  outgoing.on('error', (error) =>
    reject(new LeftOut(`port ${options.port} does not accept plain HTTP at all (${error.message || error.name})`)),
  );
  outgoing.end();
  return promise;
}

const TIMEOUT_MS = 10_000;
