import { randomBytes } from 'node:crypto';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { describe, expect } from 'vitest';
import { createTest } from '../../../test/harness/fixtures.ts';
import { execute, type Member, type TestApp } from '../../../test/harness/index.ts';
import { joinOrganization } from '../../../test/harness/join-organization.ts';
import { makeOperatorToken } from '../../../test/usage/usage-world.ts';

const PATH = '/.well-known/license-revocations.jwt';
const it = createTest().extend('owner', { scope: 'file' }, async ({ app }) => (await makeOperatorToken(app)).token);

const acquire = async (app: TestApp, by: Member, key: string): Promise<string> => {
  const body = { license_key: key, hardware_id: `hw_${randomBytes(16).toString('hex')}` };
  const headers = { 'x-organization-id': by.organizationId };
  return (await app.api.post('/v1/licenses/acquire', by.accessToken, body, headers)).body.data.session_id;
};
const release = (app: TestApp, by: Member, id: string) =>
  app.api.post('/v1/licenses/release', by.accessToken, { session_id: id }, { 'x-organization-id': by.organizationId });
const read = async (app: TestApp) => {
  const answer = await fetch(new URL(PATH, app.api.baseUrl));
  return { answer, jwt: await answer.text() };
};
const revoked = async (app: TestApp): Promise<unknown> => {
  const { jwt } = await read(app);
  const keys = createRemoteJWKSet(new URL(`${app.api.baseUrl}/.well-known/jwks.json`));
  const { payload } = await jwtVerify(jwt, keys, { typ: 'revocations+jwt', issuer: 'https://api.test' });
  return payload.revoked;
};
const change = (app: TestApp, owner: string, path: string, body: object, method = 'POST') =>
  app.api.call(method, `/v1/operator/${path}`, { token: owner, body });
const REASON = { reason: 'The invoice was not paid.' };

describe('the revocation list', () => {
  it('is a signed JWT for everyone, from any origin, and can be cached for a minute', async ({ app }) => {
    const answer = await fetch(new URL(PATH, app.api.baseUrl), { headers: { origin: 'https://any.example' } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=60');
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    const keys = createRemoteJWKSet(new URL(`${app.api.baseUrl}/.well-known/jwks.json`));
    const { payload, protectedHeader } = await jwtVerify(await answer.text(), keys, { algorithms: ['RS256'] });
    expect(protectedHeader.typ).toBe('revocations+jwt');
    expect(payload).toEqual({
      iss: 'https://api.test',
      iat: payload.iat,
      exp: (payload.iat ?? 0) + 86_400,
      revoked: [],
    });
    const tag = answer.headers.get('etag') ?? '';
    expect((await fetch(new URL(PATH, app.api.baseUrl), { headers: { 'if-none-match': tag } })).status).toBe(304);
  });

  it('includes a session released by an admin, but none released by its own user or timed out', async ({
    app,
    ada,
  }) => {
    const { key } = await app.issueLicense(ada.organizationId, { maxSeats: 5 });
    const bob = { ...(await joinOrganization(app, ada, 'member')), organizationId: ada.organizationId };
    const [own, ofBob, silent] = [
      await acquire(app, ada, key),
      await acquire(app, bob, key),
      await acquire(app, bob, key),
    ];
    await release(app, ada, own);
    expect(await revoked(app)).not.toContain(own);
    expect((await release(app, ada, ofBob)).status).toBe(200);
    expect((await release(app, ada, ofBob)).status).toBe(200);
    expect(await revoked(app)).toContain(ofBob);
    await app.moveClock(ada.organizationId, 200);
    await app.runJob('licensing.reap-silent-seats');
    expect(await revoked(app)).not.toContain(silent);
  });

  it('includes a suspended license until it is reinstated, and a revoked one', async ({ app, ada, owner }) => {
    const { id, key } = await app.issueLicense(ada.organizationId);
    await acquire(app, ada, key);
    await change(app, owner, `licenses/${id}/suspend`, REASON);
    expect(await revoked(app)).toContain(id);
    await change(app, owner, `licenses/${id}/reinstate`, REASON);
    expect(await revoked(app)).not.toContain(id);
    await change(app, owner, `licenses/${id}/revoke`, REASON);
    expect(await revoked(app)).toContain(id);
  });

  it('includes every license of a suspended organization, and then keeps those suspended themselves', async ({
    app,
    ada,
    owner,
  }) => {
    const path = `organizations/${ada.organizationId}`;
    const [one, other] = [await app.issueLicense(ada.organizationId), await app.issueLicense(ada.organizationId)];
    await change(app, owner, `licenses/${one.id}/suspend`, REASON);
    await change(app, owner, path, { status: 'suspended', ...REASON }, 'PATCH');
    expect(await revoked(app)).toEqual(expect.arrayContaining([one.id, other.id]));
    await change(app, owner, path, { status: 'active' }, 'PATCH');
    const left = await revoked(app);
    expect(left).toContain(one.id);
    expect(left).not.toContain(other.id);
  });

  it('drops entries whose tokens are no longer valid, and deletes them later', async ({ app, ada }) => {
    const { key } = await app.issueLicense(ada.organizationId);
    const bob = { ...(await joinOrganization(app, ada, 'member')), organizationId: ada.organizationId };
    const session = await acquire(app, bob, key);
    await release(app, ada, session);
    await execute(app.database, `update license_revocations set expires_at = '2020-01-01' where id = $1`, [session]);
    expect(await revoked(app)).not.toContain(session);
    await app.runJob('licensing.delete-old-revocations');
    expect(await execute(app.database, 'select from license_revocations where id = $1', [session])).toEqual([]);
  });
});
