import type { Answer } from './answer.ts';
import type { CheckGroup } from './check.ts';
import { expectData, expectError, expectPage, expectThat } from './expectations.ts';
import type { Probe } from './probe.ts';
import { isRecord, pick } from './read-json.ts';
import { MADE_UP_TOKEN } from './transport.ts';

/** An endpoint that reads a body without a token and has no rate limit of its own. */
const OPEN_FORM = '/v1/auth/refresh';
const send = (probe: Probe, raw: string, type = 'application/json') =>
  probe.open('POST', OPEN_FORM, { raw, headers: { 'content-type': type } });
const sendJson = (probe: Probe, json: unknown) => probe.open('POST', OPEN_FORM, { json });

/** Throws unless the response is the refusal of a field. */
function expectRefusal(answer: Answer, reason: string, field?: string): void {
  expectError(answer, 400, 'invalid_request', { reason, ...(field === undefined ? {} : { field }) });
}

/** Contract section 3: the envelope, and how requests are refused. */
export const ERRORS: CheckGroup = {
  key: 'errors',
  title: '§3 Envelope and errors',
  checks: [
    {
      name: 'wraps a list in data, pagination, and meta',
      run: async (probe) => expectPage(await probe.open('GET', '/v1/plans')),
    },
    {
      name: '401 invalid_token without a token, with WWW-Authenticate',
      run: async (probe) => expectChallenge(await probe.open('GET', '/v1/me')),
    },
    {
      name: '401 invalid_token for an unknown token',
      run: async (probe) => expectChallenge(await probe.open('GET', '/v1/me', { token: MADE_UP_TOKEN })),
    },
    {
      name: '404 not_found for an unknown route',
      run: async (probe) => expectError(await probe.open('GET', '/v1/no-such-thing'), 404, 'not_found'),
    },
    {
      name: '405 method_not_allowed, with Allow',
      run: async (probe) => {
        const answer = await probe.open('DELETE', '/v1/plans');
        expectError(answer, 405, 'method_not_allowed');
        expectThat(
          answer,
          (answer.headers.allow ?? '').includes('GET'),
          `Allow is ${answer.headers.allow ?? 'missing'}`,
        );
      },
    },
    {
      name: '415 unsupported_media_type for a body that is not JSON',
      run: async (probe) => expectError(await send(probe, 'a=1', 'text/plain'), 415, 'unsupported_media_type'),
    },
    {
      name: '413 payload_too_large beyond 256 KiB',
      run: async (probe) => {
        const answer = await send(probe, JSON.stringify({ refresh_token: 'x'.repeat(270_000) }));
        expectError(answer, 413, 'payload_too_large', { max_bytes: 262_144 });
      },
    },
    {
      name: '400 for malformed JSON',
      run: async (probe) => expectRefusal(await send(probe, '{"refresh_token": '), 'malformed'),
    },
    {
      name: '400 for a NUL character and for an unpaired surrogate',
      run: async (probe) => {
        expectError(await send(probe, '{"refresh_token": "a\\u0000b"}'), 400, 'invalid_request');
        expectError(await send(probe, '{"refresh_token": "a\\ud800b"}'), 400, 'invalid_request');
      },
    },
    {
      name: '400 for JSON that is nested a thousand levels deep',
      run: async (probe) => {
        const deep = `{"refresh_token": ${'['.repeat(1000)}${']'.repeat(1000)}}`;
        expectError(await send(probe, deep), 400, 'invalid_request');
      },
    },
    {
      name: '400 for a missing field, a field of another type, and an unknown field, each with its name',
      run: async (probe) => {
        expectRefusal(await sendJson(probe, {}), 'required', 'refresh_token');
        expectRefusal(await sendJson(probe, { refresh_token: 7 }), 'type', 'refresh_token');
        expectRefusal(await sendJson(probe, { refresh_token: 'x', color: 'red' }), 'unknown', 'color');
        expectError(await sendJson(probe, [1, 2]), 400, 'invalid_request');
      },
    },
    {
      name: '400 for an unknown query parameter',
      run: async (probe) => expectRefusal(await probe.open('GET', '/v1/plans?color=red'), 'unknown', 'color'),
    },
    {
      name: 'answers malformed paths with the envelope, never with 500',
      run: async (probe) => {
        for (const path of ['/v1/plans/%00', '/v1/plans/%zz', '/v1/plans/..%2f..%2fetc', '/v1//plans']) {
          const answer = await probe.open('GET', path);
          const isRefused = answer.status === 400 || answer.status === 404;
          expectThat(
            answer,
            isRefused && isRecord(pick(answer.body, 'error')),
            `the status is ${answer.status}, expected 400 or 404`,
          );
        }
      },
    },
    {
      name: 'reveals nothing internal in an error',
      run: async (probe) => {
        const answer = await send(probe, '{"refresh_token": ');
        expectThat(
          answer,
          !/node_modules|\.ts:\d|\bselect\b .* \bfrom\b/i.test(answer.text),
          'the body names code or SQL',
        );
      },
    },
    {
      name: 'wraps a single thing in data and meta',
      run: async (probe) => expectData(await probe.call('GET', '/v1/me'), 200),
    },
  ],
};

function expectChallenge(answer: Answer): void {
  expectError(answer, 401, 'invalid_token');
  const challenge = answer.headers['www-authenticate'] ?? 'missing';
  expectThat(answer, challenge.startsWith('Bearer'), `WWW-Authenticate is ${challenge}`);
}
