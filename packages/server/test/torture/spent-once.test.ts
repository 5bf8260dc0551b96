import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generateSync } from 'otplib';
import { Agent, fetch as undiciFetch } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEVICE_GRANT } from '../../src/oauth/device-grant.ts';
import { PKCE, VERIFIER } from '../harness/oauth-world.ts';
import { ISSUER, PageBrowser } from '../harness/page-browser.ts';
import { readMail } from '../mail/read-mail.ts';
import { HttpsClient, type Outcome } from './https-client.ts';
import { readAuthority, type ServerProcess, startServer } from './server-process.ts';
import { World } from './world.ts';

/** The number of simultaneous requests, half of them on each process. */
const CONCURRENCY = 50;
const PASSWORD = 'an engine that weaves patterns';

let world: World;
let servers: ServerProcess[];
let client: HttpsClient;
let people = 0;
let trustingFetch: typeof fetch;

beforeAll(async () => {
  world = await World.start();
  const settings = await Promise.all(['one', 'two'].map((name) => world.settings(name)));
  servers = await Promise.all(settings.map((each) => startServer(each)));
  const ca = await Promise.all(servers.map((server) => readAuthority(server.dataDir)));
  client = new HttpsClient(ca);
  const dispatcher = new Agent({ connect: { ca, servername: 'localhost' } });
  // The same function with another trusted authority. Its types come from another copy of the library.
  trustingFetch = ((url: string, options: object) =>
    undiciFetch(url, { ...options, dispatcher })) as unknown as typeof fetch;
  // The pools open their connections when they are first needed. Without open connections, the first race would not be
  // a race.
  await Promise.all(
    Array.from({ length: CONCURRENCY }, (_, place) =>
      call(place, 'POST', '/v1/auth/password/forgot', { email: 'a@b.example' }),
    ),
  );
});
afterAll(async () => {
  await client.close();
  await world.close();
});

function call(place: number, method: 'GET' | 'POST', path: string, body?: unknown, token?: string): Promise<Outcome> {
  const server = servers[place % servers.length];
  return client.call(method, `${server?.baseUrl}${path}`, { token }, body);
}

/** A request that must succeed. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads the fields it expects, and fails if they are missing.
async function done(method: 'GET' | 'POST', path: string, body?: unknown, token?: string): Promise<any> {
  const outcome = await call(0, method, path, body, token);
  if (outcome.kind !== 'answer' || outcome.status >= 300) {
    throw new Error(`${method} ${path}: ${JSON.stringify(outcome)}`);
  }
  return outcome.body.data;
}

/**
 * Sends the same request `CONCURRENCY` times, simultaneously on both processes. Returns the responses by status and code.
 */
async function sendConcurrently(path: string, body: (place: number) => unknown, token?: string) {
  const outcomes = await Promise.all(
    Array.from({ length: CONCURRENCY }, (_, place) => call(place, 'POST', path, body(place), token)),
  );
  const answers = outcomes.map((outcome) => {
    if (outcome.kind !== 'answer') {
      throw new Error(JSON.stringify(outcome));
    }
    return { status: outcome.status, code: outcome.body.error?.code, data: outcome.body.data };
  });
  return {
    successes: answers.filter((answer) => answer.status < 300).map((answer) => answer.data),
    refusals: [...new Set(answers.filter((answer) => answer.status >= 300).map((answer) => answer.code))],
  };
}

async function register() {
  people += 1;
  const email = `person-${people}@example.com`;
  const data = await done('POST', '/v1/auth/register', { email, password: PASSWORD, name: `Person ${people}` });
  const me = await done('GET', '/v1/me', undefined, data.access_token);
  return { email, organizationId: me.organization.id, ...data };
}

async function registerWithTwoFactor() {
  const person = await register();
  const { secret } = await done('POST', '/v1/auth/2fa/setup', {}, person.access_token);
  const enabled = await done('POST', '/v1/auth/2fa/enable', { code: codeOf(secret, 0) }, person.access_token);
  return { ...person, secret, recoveryCodes: enabled.recovery_codes };
}

function codeOf(secret: string, stepsAhead: number): string {
  return generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + stepsAhead * 30 });
}

async function challengeOf(person: { email: string }): Promise<string> {
  const data = await done('POST', '/v1/auth/login', { email: person.email, password: PASSWORD });
  return data.challenge_token;
}

/** The secret in the newest mail of a kind, from the files of both processes. */
async function mailedSecret(recipient: string, pattern: RegExp): Promise<string> {
  let secret: string | undefined;
  await expect
    .poll(
      async () => {
        for (const server of servers) {
          const folder = join(server.dataDir, 'mail');
          for (const name of await readdir(folder).catch(() => [])) {
            const mail = readMail(await readFile(join(folder, name), 'utf8'));
            if (name.endsWith('.eml') && mail.headers.get('to')?.includes(recipient) === true) {
              secret ??= pattern.exec(mail.parts[0]?.text ?? '')?.[0];
            }
          }
        }
        return secret;
      },
      { interval: 100 },
    )
    .toBeDefined();
  return secret ?? '';
}

/** This person's app, and what its user is redirected back with after login and consent. */
async function authorize(confidential: boolean) {
  const person = await register();
  const redirectUri = 'https://console.example/callback';
  const app = await done(
    'POST',
    '/v1/oauth-apps',
    { name: 'Console', redirect_uris: [redirectUri], scopes: ['read:profile'], confidential },
    person.access_token,
  );
  const query = { response_type: 'code', client_id: app.client_id, redirect_uri: redirectUri, ...PKCE };
  const browser = new PageBrowser({ api: { baseUrl: servers[0]?.baseUrl ?? '' } }, trustingFetch);
  const login = await browser.open(`${ISSUER}/authorize?${new URLSearchParams(query)}`);
  const consent = await browser.submit(login, '/login', { email: person.email, password: PASSWORD });
  const back = await browser.submit(consent, '/allow');
  const form: Record<string, string> = { client_id: app.client_id };
  if (confidential) {
    form.client_secret = app.client_secret;
  }
  const redemption = {
    ...form,
    grant_type: 'authorization_code',
    code: back.url.searchParams.get('code') ?? '',
    redirect_uri: redirectUri,
    code_verifier: VERIFIER,
  };
  return { form, redemption };
}

/** A device that its user has approved: it started at one process, and its user came to the other. */
async function connectDevice(): Promise<Record<string, string>> {
  const person = await register();
  const input = { name: 'Node', redirect_uris: [], scopes: ['read:profile'], confidential: false, device_flow: true };
  const { client_id } = await done('POST', '/v1/oauth-apps', input, person.access_token);
  const response = await trustingFetch(`${servers[0]?.baseUrl}/oauth/device_authorization`, {
    method: 'POST',
    body: new URLSearchParams({ client_id }),
  });
  const codes = JSON.parse(await response.text());
  const browser = new PageBrowser({ api: { baseUrl: servers[1]?.baseUrl ?? '' } }, trustingFetch);
  const login = await browser.submit(await browser.open(`${ISSUER}/device`), '/device', { user_code: codes.user_code });
  const consent = await browser.submit(login, '/login', { email: person.email, password: PASSWORD });
  await browser.submit(consent, '/allow');
  return { client_id, grant_type: DEVICE_GRANT, device_code: codes.device_code };
}

/** Calls the token endpoint of one of the processes. */
async function askForTokens(place: number, form: Record<string, string>) {
  const response = await trustingFetch(`${servers[place % servers.length]?.baseUrl}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams(form),
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

describe(`${CONCURRENCY} simultaneous requests to two processes spend only once`, () => {
  it('an OAuth code', async () => {
    const { redemption } = await authorize(true);
    const answers = await Promise.all(
      Array.from({ length: CONCURRENCY }, (_, place) => askForTokens(place, redemption)),
    );

    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect(new Set(answers.map((answer) => answer.body.error))).toEqual(new Set([undefined, 'invalid_grant']));
  });

  it('a device code', async () => {
    const form = await connectDevice();
    const answers = await Promise.all(Array.from({ length: CONCURRENCY }, (_, place) => askForTokens(place, form)));

    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect(new Set(answers.map((answer) => answer.body.error))).toEqual(new Set([undefined, 'invalid_grant']));
  });

  it("a public app's refresh token", async () => {
    const { form, redemption } = await authorize(false);
    const { body } = await askForTokens(0, redemption);
    const refresh = { ...form, grant_type: 'refresh_token', refresh_token: body.refresh_token };
    const answers = await Promise.all(Array.from({ length: CONCURRENCY }, (_, place) => askForTokens(place, refresh)));

    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
  });

  it('a session’s refresh token, and all get the same successor', async () => {
    const { refresh_token } = await register();
    const { successes, refusals } = await sendConcurrently('/v1/auth/refresh', () => ({ refresh_token }));

    expect(refusals).toEqual([]);
    expect(new Set(successes.map((each) => each.access_token)).size).toBe(1);
  });

  it('a challenge, with the right code', async () => {
    const person = await registerWithTwoFactor();
    const challenge_token = await challengeOf(person);
    const code = codeOf(person.secret, 1);
    const { successes } = await sendConcurrently('/v1/auth/2fa/verify', () => ({ challenge_token, code }));

    expect(successes).toHaveLength(1);
  });

  it('a one-time code, with a challenge per request', async () => {
    const person = await registerWithTwoFactor();
    const challenges = await Promise.all(Array.from({ length: 8 }, () => challengeOf(person)));
    const code = codeOf(person.secret, 1);
    const { successes } = await sendConcurrently('/v1/auth/2fa/verify', (place) => ({
      challenge_token: challenges[place % challenges.length],
      code,
    }));

    expect(successes).toHaveLength(1);
  });

  it('a recovery code, with a challenge per request', async () => {
    const person = await registerWithTwoFactor();
    const challenges = await Promise.all(Array.from({ length: 8 }, () => challengeOf(person)));
    const [code] = person.recoveryCodes;
    const { successes } = await sendConcurrently('/v1/auth/2fa/verify', (place) => ({
      challenge_token: challenges[place % challenges.length],
      code,
    }));

    expect(successes).toHaveLength(1);
  });

  it('an invitation', async () => {
    const [admin, guest] = [await register(), await register()];
    const path = `/v1/orgs/${admin.organizationId}/invitations`;
    await done('POST', path, { email: guest.email, role: 'member' }, admin.access_token);
    const token = await mailedSecret(guest.email, /svc_inv_\w+/);
    const { successes } = await sendConcurrently('/v1/invitations/accept', () => ({ token }), guest.access_token);
    const organization = await done('GET', `/v1/orgs/${admin.organizationId}`, undefined, admin.access_token);

    expect(successes).toHaveLength(1);
    expect(organization.member_count).toBe(2);
  });

  it('a reset token', async () => {
    const person = await register();
    await done('POST', '/v1/auth/password/forgot', { email: person.email });
    const token = await mailedSecret(person.email, /svc_prt_\w+/);
    const passwords = Array.from({ length: CONCURRENCY }, (_, place) => `${PASSWORD} number ${place}`);
    const { successes } = await sendConcurrently('/v1/auth/password/reset', (place) => ({
      token,
      password: passwords[place],
    }));

    expect(successes).toHaveLength(1);
    // The password of the successful request is the one that counts.
    const before = await call(1, 'GET', '/v1/me', undefined, person.access_token);
    expect(before).toMatchObject({ status: 401 });
  });
});
