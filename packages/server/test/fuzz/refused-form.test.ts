import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeOauthApp } from '../harness/oauth-world.ts';
import { findCommonHeaderFault } from './check-answer.ts';
import { type ListeningApp, startListeningApp } from './listening-app.ts';
import { type RawAnswer, RawConnection } from './raw-connection.ts';

let subject: ListeningApp;

beforeAll(async () => {
  subject = await startListeningApp({ trustsPlain: true });
});
afterAll(() => subject.close());

/** Sends a POST with these header lines and this text, on a new connection. */
async function post(path: string, lines: readonly string[], framedBody: string): Promise<RawAnswer> {
  const head = [`POST ${path} HTTP/1.1`, 'Host: localhost', ...lines];
  const connection = RawConnection.to(subject.listener.port);
  const answer = await connection.sendBytes(Buffer.from(`${head.join('\r\n')}\r\n${framedBody}`, 'latin1'));
  connection.close();
  expect(findCommonHeaderFault(answer)).toBeUndefined();
  return answer;
}

const FORM = ['Content-Type: application/x-www-form-urlencoded'];
const whole = (body: string) => `Content-Length: ${body.length}\r\n\r\n${body}`;
const chunked = (body: string) =>
  `Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;

describe('an oversize form', () => {
  const oversize = `grant_type=authorization_code&code=${'x'.repeat(300_000)}`;
  const description = 'The body must be at most 57344 bytes.';

  it.each(['token', 'revoke', 'introspect'])(
    'is refused by /oauth/%s with 413 in the format of RFC 6749',
    async (name) => {
      for (const body of [whole(oversize), chunked(oversize)]) {
        const { status, body: text } = await post(`/oauth/${name}`, FORM, body);
        expect([status, JSON.parse(text)]).toEqual([413, { error: 'invalid_request', error_description: description }]);
      }
    },
  );

  it('is refused by a page with a page', async () => {
    for (const body of [whole(oversize), chunked(oversize)]) {
      const answer = await post('/oauth/reset-password', FORM, body);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([413, 'text/html; charset=utf-8']);
    }
  });
});

describe('a refusal by the authorization server', () => {
  it('is 415 for a body that is not a form, in the format of RFC 6749', async () => {
    const answer = await post('/oauth/token', ['Content-Type: application/json'], whole('{}'));
    expect([answer.status, JSON.parse(answer.body).error]).toEqual([415, 'invalid_request']);
  });

  it('is a page for a browser, even one that does not accept HTML', async () => {
    const connection = RawConnection.to(subject.listener.port);
    const asked =
      'GET /oauth/authorize?client_id=app_0 HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\n\r\n';
    const page = await connection.sendBytes(Buffer.from(asked));
    connection.close();
    expect([page.status, page.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8']);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  it('quotes nothing that RFC 6749 section 5.2 forbids in a description', async () => {
    const { test } = subject;
    const { clientId } = await makeOauthApp(test, await test.register(), { confidential: false });
    const form = whole(`grant_type=refresh_token&refresh_token=x&client_id=${clientId}`);
    const refused = await post('/oauth/token', [...FORM, 'Origin: "\xff\\'], form);
    const { error, error_description: description } = JSON.parse(refused.body);
    expect([refused.status, error]).toEqual([400, 'invalid_request']);
    expect(description).toMatch(/^origin '\?' not allowed/);
  });
});
