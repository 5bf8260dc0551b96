import { randomBytes } from 'node:crypto';
import { createRemoteJWKSet, decodeProtectedHeader, importSPKI, jwtVerify, SignJWT, UnsecuredJWT } from 'jose';
import { describe, expect } from 'vitest';
import { it } from '../../../test/harness/fixtures.ts';
import { execute, type Member, type TestApp } from '../../../test/harness/index.ts';
import { OPERATOR_COMMAND } from '../../audit/index.ts';
import { createOutbox } from '../../events/index.ts';
import { createLicensing } from '../index.ts';

const machine = () => `hw_${randomBytes(16).toString('hex')}`;
const acquire = (app: TestApp, admin: Member, key: string, hardwareId = machine(), headers = {}) =>
  app.api.post('/v1/licenses/acquire', admin.accessToken, { license_key: key, hardware_id: hardwareId }, headers);
const heartbeat = (app: TestApp, admin: Member, id: string) =>
  app.api.post('/v1/licenses/heartbeat', admin.accessToken, { session_id: id });
const issue = (app: TestApp, admin: Member, terms: object = {}) => app.issueLicense(admin.organizationId, terms);
const remoteKeys = (app: TestApp) =>
  createRemoteJWKSet(new URL(`${app.api.baseUrl}/.well-known/jwks.json`), { cooldownDuration: 0 });
const rotate = (app: TestApp) =>
  createLicensing({
    outbox: createOutbox([]),
    database: app.database,
    masterKey: app.masterKey,
    settings: {
      baseUrl: 'https://api.test',
      licenseAudience: 'seathold-client',
      licenseTokenTtlSeconds: 86_400,
      heartbeatIntervalSeconds: 60,
      seatTimeoutSeconds: 180,
    },
  }).rotateSigningKey(OPERATOR_COMMAND);

describe('the license token', () => {
  it('is verified offline by a third-party library with the published key', async ({ app, admin }) => {
    const license = await issue(app, admin);
    const hardwareId = machine();
    const {
      license_token: token,
      session_id: id,
      expires_at: expiresAt,
    } = (await acquire(app, admin, license.key, hardwareId)).body.data;
    const published = (await app.api.get('/v1/licenses/public-key', admin.accessToken)).body.data;
    const key = await importSPKI(published.public_key, 'RS256');
    const { payload } = await jwtVerify(token, key, {
      audience: 'seathold-client',
      issuer: 'https://api.test',
      algorithms: ['RS256'],
    });
    expect(payload).toMatchObject({
      sub: admin.userId,
      jti: id,
      org: admin.organizationId,
      lic: license.id,
      hw: hardwareId,
      product: 'studio',
      max_seats: 3,
    });
    expect((payload.exp ?? 0) * 1000).toBe(Date.parse(expiresAt));
    await expect(jwtVerify(token, key, { audience: 'someone-else' })).rejects.toThrow();
    const keys = createRemoteJWKSet(new URL(`${app.api.baseUrl}/.well-known/jwks.json`));
    expect((await jwtVerify(token, keys)).payload.jti).toBe(id);
  });

  it('ends with the license if that is sooner', async ({ app, admin }) => {
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const license = await issue(app, admin, { expiresAt });
    const taken = await acquire(app, admin, license.key);
    expect(Math.abs(Date.parse(taken.body.data.expires_at) - Date.parse(expiresAt))).toBeLessThan(1000);
  });

  it('is renewed by a heartbeat when less than half of its lifetime is left', async ({ app, admin }) => {
    const license = await issue(app, admin);
    const { session_id: id } = (await acquire(app, admin, license.key)).body.data;
    expect((await heartbeat(app, admin, id)).body.data.license_token).toBeUndefined();
    await execute(
      app.database,
      `update seat_slots set token_issued_at = token_issued_at - interval '13 hours', token_expires_at = token_expires_at - interval '13 hours' where session_id = $1`,
      [id],
    );
    const beat = (await heartbeat(app, admin, id)).body.data;
    expect(decodeProtectedHeader(beat.license_token).alg).toBe('RS256');
    expect(Date.parse(beat.expires_at)).toBeGreaterThan(Date.now() + 86_000_000);
    expect((await heartbeat(app, admin, id)).body.data.license_token).toBeUndefined();
  });

  it('is rejected by clients if its algorithm or key is different', async ({ app, admin }) => {
    const license = await issue(app, admin);
    const { license_token: token } = (await acquire(app, admin, license.key)).body.data;
    const published = (await app.api.get('/v1/licenses/public-key', admin.accessToken)).body.data;
    const claims = JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString());
    const forgeries = [
      new UnsecuredJWT(claims).encode(),
      await new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256', kid: published.key_id })
        .sign(Buffer.from(published.public_key)),
      `${token.slice(0, -4)}AAAA`,
    ];
    for (const forgery of forgeries) {
      await expect(jwtVerify(forgery, remoteKeys(app), { algorithms: ['RS256'] })).rejects.toThrow();
    }
  });

  it('survives a rotation: old tokens verify, stored responses are signed again with their own key, and new ones with the new key', async ({
    app,
    admin,
  }) => {
    const license = await issue(app, admin);
    const hardwareId = machine();
    const headers = { 'idempotency-key': randomBytes(8).toString('hex') };
    const before = await acquire(app, admin, license.key, hardwareId, headers);
    const keyId = await rotate(app);
    await expect
      .poll(async () => (await app.api.get('/v1/licenses/public-key', admin.accessToken)).body.data.key_id)
      .toBe(keyId);
    const after = (await acquire(app, admin, license.key)).body.data.license_token;
    expect(decodeProtectedHeader(after).kid).toBe(keyId);
    expect((await jwtVerify(before.body.data.license_token, remoteKeys(app))).payload.jti).toBe(
      before.body.data.session_id,
    );
    expect((await jwtVerify(after, remoteKeys(app))).payload.lic).toBe(license.id);
    const replayed = await acquire(app, admin, license.key, hardwareId, headers);
    expect(replayed.body.data.license_token).toBe(before.body.data.license_token);
  });

  it('is published until the last token it signed has expired, and no longer', async ({ app }) => {
    await rotate(app);
    const count = async () => (await app.api.get('/.well-known/jwks.json')).body.keys.length;
    await expect.poll(count).toBeGreaterThanOrEqual(2);
    await execute(
      app.database,
      "update license_signing_keys set retired_at = retired_at - interval '26 hours' where retired_at is not null",
    );
    await expect.poll(count).toBe(1);
  });

  it('keeps the private key encrypted at rest', async ({ app }) => {
    const rows = await execute<{ private_key: Buffer }>(app.database, 'select private_key from license_signing_keys');
    for (const row of rows) {
      expect(row.private_key.toString('latin1')).not.toContain('PRIVATE KEY');
    }
  });
});
