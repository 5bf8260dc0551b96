import { randomBytes } from 'node:crypto';
import { decodeJwt } from 'jose';
import { describe, expect } from 'vitest';
import { createTest } from '../../../test/harness/fixtures.ts';
import { execute, type Member, type TestApp } from '../../../test/harness/index.ts';
import { makeOperatorToken } from '../../../test/usage/usage-world.ts';
import { newLicenseKey } from '../licenses/license-key.ts';

const it = createTest({ settings: { SEATHOLD_RATE_LIMITS: 'off' } }).extend(
  'owner',
  { scope: 'file' },
  async ({ app }) => (await makeOperatorToken(app)).token,
);

const machine = () => `hw_${randomBytes(16).toString('hex')}`;
const issue = (app: TestApp, by: Member, policy: object = {}, maxSeats = 2) =>
  app.issueLicense(by.organizationId, { maxSeats, expiresAt: null, policy: { activation: 'key', ...policy } });
const activate = (app: TestApp, key: string, hardwareId: string, more: object = {}) =>
  app.api.call('POST', '/v1/licenses/activate', { body: { license_key: key, hardware_id: hardwareId, ...more } });
const acquire = (app: TestApp, token: string, key: string, hardwareId: string) =>
  app.api.post('/v1/licenses/acquire', token, { license_key: key, hardware_id: hardwareId });
/** A key from another system, with this many letters and digits. */
const newAlias = (characters: number) => `x-${randomBytes(characters).toString('hex').slice(1, characters)}`;
const setAliases = (app: TestApp, owner: string, id: string, aliases: readonly string[]) =>
  app.api.call('PATCH', `/v1/operator/licenses/${id}`, { token: owner, body: { key_aliases: aliases } });
const touch = (app: TestApp, token: string, act: string, sessionId: string) =>
  app.api.post(`/v1/licenses/${act}`, token, { session_id: sessionId });

describe('a machine with a license key', () => {
  it('is activated without a token, and takes, keeps and releases a seat', async ({ app, ada }) => {
    const { id, key } = await issue(app, ada);
    const hardwareId = machine();
    const activated = await activate(app, key.toLowerCase(), hardwareId, { name: 'Render node' });
    expect(activated.status).toBe(201);
    const { activation_token: token, activation_id: activationId, ...rest } = activated.body.data;
    expect(rest).toEqual({ license_id: id, product: expect.any(String) });
    expect(token).toMatch(/^svc_act_[0-9A-Za-z]{42}$/);
    const seat = await acquire(app, token, key, hardwareId);
    expect(seat.status).toBe(201);
    const { session_id: sessionId, license_token: licenseToken } = seat.body.data;
    expect(decodeJwt(licenseToken)).toMatchObject({ sub: activationId, hw: hardwareId, lic: id });
    expect((await acquire(app, token, key, hardwareId)).body.data.session_id).toBe(sessionId);
    expect((await touch(app, token, 'heartbeat', sessionId)).status).toBe(200);
    expect((await app.api.get('/v1/licenses/public-key', token)).status).toBe(200);
    const shown = (await app.api.get(`/v1/licenses/${id}/sessions`, ada.accessToken)).body.data[0];
    expect(shown).toMatchObject({ user_id: null, activation_id: activationId, user: null, hardware_id: hardwareId });
    expect((await touch(app, token, 'release', sessionId)).body.data.status).toBe('released');
    const events = (await app.api.get('/v1/events?limit=5', ada.accessToken)).body.data;
    const of = (type: string) => events.find((event: { type: string }) => event.type === type).data.object;
    expect(of('license.seat.acquired')).toMatchObject({ user_id: null, session_id: sessionId });
    expect(of('license.seat.released')).toMatchObject({ user_id: null, activation_id: activationId });
  });

  it('can use a key that the license had in another system, and has one activation for both', async ({
    app,
    ada,
    owner,
  }) => {
    const { id, key } = await issue(app, ada);
    const alias = newAlias(16);
    await setAliases(app, owner, id, [alias]);
    const hardwareId = machine();
    const first = await activate(app, ` ${alias} `, hardwareId);
    expect([first.status, first.body.data.license_id]).toEqual([201, id]);
    expect((await acquire(app, first.body.data.activation_token, alias, hardwareId)).status).toBe(201);
    const again = await activate(app, key, hardwareId);
    expect([again.status, again.body.data.activation_id]).toEqual([200, first.body.data.activation_id]);
    expect((await acquire(app, again.body.data.activation_token, key, hardwareId)).status).toBe(200);
    await setAliases(app, owner, id, []);
    expect((await activate(app, alias, machine())).status).toBe(404);
  });

  it('cannot use a guessable alias, or an alias of a license for accounts', async ({ app, ada, owner }) => {
    const [short, ofAccounts] = [newAlias(15), newAlias(32)];
    await setAliases(app, owner, (await issue(app, ada)).id, [short]);
    await setAliases(app, owner, (await issue(app, ada, { activation: 'account' })).id, [ofAccounts]);
    for (const key of [short, ofAccounts, newAlias(32)]) {
      const refused = await activate(app, key, machine());
      expect([refused.status, refused.body.error.code]).toEqual([404, 'not_found']);
    }
  });

  it('keeps its activation and gets a new token when activated again, and the old token stops working', async ({
    app,
    ada,
  }) => {
    const { key } = await issue(app, ada);
    const hardwareId = machine();
    const first = (await activate(app, key, hardwareId)).body.data;
    const again = await activate(app, key, hardwareId);
    expect(again.status).toBe(200);
    expect(again.body.data.activation_id).toBe(first.activation_id);
    expect((await acquire(app, first.activation_token, key, hardwareId)).body.error.code).toBe('invalid_token');
    expect((await acquire(app, again.body.data.activation_token, key, hardwareId)).status).toBe(201);
  });

  it('never takes more seats than the license has, with or without users', async ({ app, ada }) => {
    const { key } = await issue(app, ada, {}, 2);
    const hardware = [machine(), machine(), machine()];
    const tokens = await Promise.all(
      hardware.map(async (id) => (await activate(app, key, id)).body.data.activation_token),
    );
    const answers = await Promise.all([
      ...tokens.map((token, index) => acquire(app, token, key, hardware[index] ?? '')),
      acquire(app, ada.accessToken, key, machine()),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 409, 409]);
  });

  it('can be activated a limited number of times, even by many simultaneous requests', async ({ app, ada }) => {
    const { key } = await issue(app, ada, { max_activations: 3 });
    const answers = await Promise.all(Array.from({ length: 8 }, () => activate(app, key, machine())));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 201, 409, 409, 409, 409, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused?.body.error).toMatchObject({ code: 'activation_limit_reached', details: { max_activations: 3 } });
  });

  it('finds its seat on a node-locked license, which has no more machines than seats', async ({ app, ada }) => {
    const { id, key } = await issue(app, ada, { node_locked: true }, 1);
    const [old, next] = [machine(), machine()];
    const first = (await activate(app, key, old)).body.data;
    expect((await activate(app, key, next)).body.error.details).toEqual({ max_activations: 1 });
    expect((await acquire(app, first.activation_token, key, old)).status).toBe(201);
    const path = `/v1/licenses/${id}/activations/${first.activation_id}`;
    expect((await app.api.call('DELETE', path, { token: ada.accessToken })).status).toBe(204);
    const second = (await activate(app, key, next)).body.data;
    expect((await acquire(app, second.activation_token, key, next)).status).toBe(201);
  });
});

describe('an activation token', () => {
  it('is useless for another license, on another machine, or for anything else', async ({ app, ada }) => {
    const { id, key } = await issue(app, ada);
    const other = await issue(app, ada);
    const hardwareId = machine();
    const { activation_token: token } = (await activate(app, key, hardwareId)).body.data;
    expect((await acquire(app, token, other.key, hardwareId)).body.error.code).toBe('not_found');
    expect((await acquire(app, token, key, machine())).body.error.code).toBe('forbidden');
    const session = (await acquire(app, ada.accessToken, key, machine())).body.data.session_id;
    expect((await touch(app, token, 'release', session)).body.error.code).toBe('forbidden');
    for (const path of [
      'me',
      'licenses',
      `licenses/${id}`,
      `licenses/${id}/activations`,
      'events',
      'orgs',
      'event-types',
    ]) {
      expect([path, (await app.api.get(`/v1/${path}`, token)).status]).toEqual([path, 403]);
    }
    expect((await app.api.get('/v1/me', `${token.slice(0, -1)}!`)).status).toBe(401);
  });

  it('is refused immediately when an admin revokes it, its seat is freed, and its session is listed as revoked', async ({
    app,
    ada,
  }) => {
    const { id, key } = await issue(app, ada, {}, 1);
    const hardwareId = machine();
    const { activation_token: token, activation_id: activationId } = (await activate(app, key, hardwareId)).body.data;
    const session = (await acquire(app, token, key, hardwareId)).body.data.session_id;
    const path = `/v1/licenses/${id}/activations`;
    const eve = await app.register('Eve');
    expect((await app.api.call('DELETE', `${path}/${activationId}`, { token: eve.accessToken })).status).toBe(404);
    expect((await app.api.get(path, eve.accessToken)).status).toBe(404);
    expect((await app.api.get(path, ada.accessToken)).body.data).toMatchObject([{ id: activationId, name: null }]);
    expect((await app.api.call('DELETE', `${path}/${activationId}`, { token: ada.accessToken })).status).toBe(204);
    expect((await app.api.call('DELETE', `${path}/${activationId}`, { token: ada.accessToken })).status).toBe(404);
    expect((await touch(app, token, 'heartbeat', session)).status).toBe(401);
    expect((await acquire(app, ada.accessToken, key, machine())).status).toBe(201);
    expect(await execute(app.database, 'select cause from license_revocations where id = $1', [session])).toEqual([
      { cause: 'released' },
    ]);
  });

  it('is refused while its organization or its license is suspended', async ({ app, ada, owner }) => {
    const { id, key } = await issue(app, ada);
    const hardwareId = machine();
    const { activation_token: token } = (await activate(app, key, hardwareId)).body.data;
    const act = (method: string, path: string, body: object) =>
      app.api.call(method, `/v1/operator/${path}`, { token: owner, body });
    await act('POST', `licenses/${id}/suspend`, { reason: 'Unpaid' });
    expect((await acquire(app, token, key, hardwareId)).body.error.code).toBe('license_suspended');
    expect((await activate(app, key, machine())).body.error.code).toBe('license_suspended');
    await act('PATCH', `organizations/${ada.organizationId}`, { status: 'suspended', reason: 'Unpaid' });
    expect((await acquire(app, token, key, hardwareId)).body.error.code).toBe('organization_suspended');
    expect((await activate(app, key, machine())).body.error.code).toBe('organization_suspended');
  });
});

describe('a license key', () => {
  it('gets the same not_found if it is unknown or its license is for accounts', async ({ app, ada }) => {
    const { key } = await app.issueLicense(ada.organizationId);
    const [unknown, account] = [await activate(app, newLicenseKey(), machine()), await activate(app, key, machine())];
    expect(unknown.status).toBe(404);
    expect(account.body.error).toEqual(unknown.body.error);
  });

  it.for([
    ['license_key', {}, 'required'],
    ['name', { license_key: 'x', name: '' }, 'length'],
    ['extra', { license_key: 'x', extra: 1 }, 'unknown'],
  ] as const)('400: a body without a valid %s', async ([field, body, reason], { app }) => {
    const answer = await app.api.call('POST', '/v1/licenses/activate', { body: { hardware_id: machine(), ...body } });
    expect(answer.body.error).toMatchObject({ code: 'invalid_request', details: { field, reason } });
  });

  it('422: needs a machine identifier', async ({ app, ada }) => {
    const { key } = await issue(app, ada);
    expect((await activate(app, key, 'hw_short')).body.error.code).toBe('invalid_hardware_id');
  });
});
