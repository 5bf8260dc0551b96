import { hashToken, newToken, TOKEN_PREFIXES } from '../../src/security/index.ts';
import { execute, type Member, type TestApp } from '../harness/index.ts';
import type { RawAnswer } from './raw-connection.ts';

/** What there is to ask for: good values of two organizations, and those that have gone bad. */
export interface FuzzWorld {
  ada: Member;
  eve: Member;
  /** Her logins are spent by logout and refresh, so they are hers alone. */
  grace: Member;
  apiToken: string;
  badTokens: readonly string[];
  licenses: ReadonlyArray<{ id: string; key: string }>;
  foreignLicense: { id: string; key: string };
  sessionIds: string[];
  apiTokenIds: string[];
  eventIds: readonly string[];
  cursors: string[];
  /** A license with history, a free one and a full one are among them. */
  hardwareIds: readonly string[];
}

/** Prepares both organizations. */
export async function openWorld(test: TestApp): Promise<FuzzWorld> {
  const [ada, eve, grace] = [await test.register('Ada'), await test.register('Eve'), await test.register('Grace')];
  const licenses = [
    await test.issueLicense(ada.organizationId, { maxSeats: 5_000 }),
    await test.issueLicense(ada.organizationId, { maxSeats: 1 }),
    await test.issueLicense(ada.organizationId, { expiresAt: new Date(Date.now() + 1_000).toISOString() }),
  ];
  const foreignLicense = await test.issueLicense(eve.organizationId);
  const hardwareIds = Array.from({ length: 20 }, (_, n) => `hw_${String(n).padStart(32, '0')}`);
  const acquired = await test.api.post('/v1/licenses/acquire', ada.accessToken, {
    license_key: licenses[0]?.key,
    hardware_id: hardwareIds[0],
  });
  const scopes = ['read:profile', 'read:licenses', 'manage:licenses', 'read:org'];
  const created = await test.api.post('/v1/api-tokens', ada.accessToken, { name: 'fuzz', scopes });
  const events = await test.api.get('/v1/events', ada.accessToken);
  const world: FuzzWorld = {
    ada,
    eve,
    grace,
    apiToken: created.body.data.token,
    badTokens: await makeBadTokens(test, eve),
    licenses,
    foreignLicense,
    sessionIds: [acquired.body.data.session_id],
    apiTokenIds: [],
    eventIds: events.body.data.map((event: { id: string }) => event.id),
    cursors: [],
    hardwareIds,
  };
  for (const path of ['/v1/licenses?limit=1', '/v1/licenses?limit=1&sort=product', '/v1/event-types?limit=1']) {
    world.cursors.push((await test.api.get(path, ada.accessToken)).body.pagination.next_cursor);
  }
  return world;
}

/** What later requests can build on; a login that was spent is made anew. */
export async function learn(test: TestApp, world: FuzzWorld, operationId: string, answer: RawAnswer): Promise<void> {
  if (answer.status >= 300 || answer.body === '') {
    return;
  }
  switch (operationId) {
    case 'acquireSeat':
      remember(world.sessionIds, JSON.parse(answer.body).data.session_id);
      break;
    case 'createApiToken':
      remember(world.apiTokenIds, JSON.parse(answer.body).data.id);
      break;
    case 'refresh':
    case 'logout': {
      const { email, password } = world.grace;
      const login = await test.api.post('/v1/auth/login', undefined, { email, password });
      world.grace.accessToken = login.body.data.access_token;
      world.grace.refreshToken = login.body.data.refresh_token;
    }
  }
}

function remember(list: string[], value: string): void {
  list.unshift(value);
  list.splice(50);
}

/** Revoked, expired, of the other environment, a refresh token, wrong checksums, too long, and no tokens at all. */
async function makeBadTokens(test: TestApp, eve: Member): Promise<string[]> {
  const { email, password } = eve;
  const logIn = async () => (await test.api.post('/v1/auth/login', undefined, { email, password })).body.data;
  const revoked = (await logIn()).access_token;
  await test.api.post('/v1/auth/logout', revoked, {});
  const expired = (await logIn()).access_token;
  await execute(test.database, 'update bearer_tokens set expires_at = created_at where token_hash = $1', [
    hashToken(expired),
  ]);
  return [
    revoked,
    expired,
    newToken(TOKEN_PREFIXES.apiTest),
    newToken(TOKEN_PREFIXES.apiLive),
    newToken(TOKEN_PREFIXES.sessionAccess),
    eve.refreshToken,
    `${eve.accessToken.slice(0, -1)}!`,
    `${eve.accessToken}${'x'.repeat(4_000)}`,
    'undefined',
    'Bearer',
    'eyJhbGciOiJub25lIn0.e30.',
  ];
}
