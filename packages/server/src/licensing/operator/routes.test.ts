import { describe, expect } from 'vitest';
import { it } from '../../../test/harness/fixtures.ts';
import { execute, type Member, type TestApp } from '../../../test/harness/index.ts';
import { joinOrganization } from '../../../test/harness/join-organization.ts';
import { makeOperatorToken } from '../../../test/usage/usage-world.ts';

const PATH = '/v1/operator/licenses';

class Vendor {
  readonly app: TestApp;
  readonly token: string;
  readonly ada: Member;

  constructor(app: TestApp, token: string, ada: Member) {
    this.app = app;
    this.token = token;
    this.ada = ada;
  }

  static async create(app: TestApp): Promise<Vendor> {
    return new Vendor(app, (await makeOperatorToken(app)).token, await app.register());
  }

  send(method: string, path: string, body?: unknown) {
    return this.app.api.call(method, `${PATH}${path}`, { token: this.token, ...(body === undefined ? {} : { body }) });
  }

  issue(terms: object = {}) {
    const { organizationId } = this.ada;
    const given = { organization_id: organizationId, product: 'seathold-demo', max_seats: 3, expires_at: null };
    return this.send('POST', '', { ...given, ...terms });
  }
}

const describeProduct = (app: TestApp, key: string, features: object) =>
  execute(
    app.database,
    `insert into products (key, name, features, source, created_at, updated_at)
      values ($1, $1, $2, 'declared', clock_timestamp(), clock_timestamp())`,
    [key, JSON.stringify(features)],
  );

describe('POST /v1/operator/licenses', () => {
  it('issues a license with policy, external_id and metadata, as its customer sees it', async ({ app }) => {
    const vendor = await Vendor.create(app);
    const issued = await vendor.issue({
      external_id: 'crm-1',
      metadata: { sold_by: 'Jane' },
      policy: { heartbeat_interval: 20, max_offline_seconds: 60 },
    });
    expect(issued.status).toBe(201);
    expect(issued.body.data).toMatchObject({
      organization_id: vendor.ada.organizationId,
      subscription_id: null,
      external_id: 'crm-1',
      metadata: { sold_by: 'Jane' },
      tier: 'pro',
      expires_at: null,
      features: { ai_assistance: false },
      policy: {
        activation: 'account',
        heartbeat_interval: 20,
        session_timeout: 180,
        max_activations: 30,
        max_offline_seconds: 60,
        allowed_users: null,
      },
      policy_overrides: { heartbeat_interval: 20, max_offline_seconds: 60 },
    });
    const seen = await app.api.get(`/v1/licenses/${issued.body.data.id}`, vendor.ada.accessToken);
    expect(seen.body.data).toMatchObject({ key: issued.body.data.key, max_seats: 3 });
    const { data } = (await app.api.get('/v1/audit-log?action=license.issued', vendor.ada.accessToken)).body;
    expect(data[0].actor).toMatchObject({ type: 'operator_token' });
  });

  it('suggests the nearest product or feature for an unknown one', async ({ app }) => {
    const vendor = await Vendor.create(app);
    await describeProduct(app, 'renderer', { layers: { type: 'number', name: 'Layers' } });
    const refusals = [
      await vendor.issue({ product: 'rendrer' }),
      await vendor.issue({ product: 'renderer', features: { layer: 7 } }),
      await vendor.issue({ product: 'renderer', features: { layers: 'many' } }),
    ];
    expect(
      refusals.map(({ status, body }) => [status, body.error.code, body.error.details, body.error.message]),
    ).toEqual([
      [
        422,
        'validation_failed',
        { field: 'product', reason: 'unknown' },
        'There is no product "rendrer". Did you mean renderer?',
      ],
      [
        422,
        'validation_failed',
        { field: 'features.layer', reason: 'unknown' },
        'features.layer is not a feature of renderer. Did you mean layers?',
      ],
      [
        422,
        'validation_failed',
        { field: 'features.layers', reason: 'type' },
        'features.layers must be a number, as the product renderer says.',
      ],
    ]);
    expect((await vendor.issue({ product: 'renderer', features: { layers: 7 } })).status).toBe(201);
  });

  it('refuses an external_id of another license of the organization, and contradictory fields', async ({ app }) => {
    const vendor = await Vendor.create(app);
    expect((await vendor.issue({ external_id: 'crm-2' })).status).toBe(201);
    const again = await vendor.issue({ external_id: 'crm-2' });
    expect([again.status, again.body.error.details]).toEqual([409, { field: 'external_id' }]);
    const slow = await vendor.issue({ policy: { heartbeat_interval: 600 } });
    expect([slow.status, slow.body.error.details.field]).toEqual([422, 'policy.session_timeout']);
    const locked = await vendor.issue({ policy: { node_locked: true } });
    expect([locked.status, locked.body.error.details.field]).toEqual([422, 'policy.node_locked']);
    expect((await vendor.issue({ organization_id: 'org_00000000000000000000000000' })).status).toBe(404);
    for (const wrong of [{ max_seats: 0 }, { policy: { color: 1 } }, { expires_at: 'soon' }, { seats: 3 }]) {
      expect((await vendor.issue(wrong)).status).toBe(400);
    }
  });
});

describe('PATCH /v1/operator/licenses/{license_id}', () => {
  it('sets who may take seats, and can return to inheriting', async ({ app }) => {
    const vendor = await Vendor.create(app);
    const grace = await joinOrganization(app, vendor.ada);
    const { id, key } = (await vendor.issue({ policy: { heartbeat_interval: 20 } })).body.data;
    const limited = await vendor.send('PATCH', `/${id}`, { policy: { allowed_users: [grace.userId] } });
    expect(limited.body.data.policy_overrides).toEqual({ heartbeat_interval: 20, allowed_users: [grace.userId] });
    const body = { license_key: key, hardware_id: `hw_${'a'.repeat(32)}` };
    const refused = await app.api.post('/v1/licenses/acquire', vendor.ada.accessToken, body);
    expect(refused.body.error.code).toBe('user_not_allowed');
    const freed = await vendor.send('PATCH', `/${id}`, { policy: { allowed_users: null, heartbeat_interval: null } });
    expect(freed.body.data.policy_overrides).toEqual({});
    expect(freed.body.data.policy.heartbeat_interval).toBe(60);
    const taken = await app.api.post('/v1/licenses/acquire', vendor.ada.accessToken, body);
    expect(taken.body.data.heartbeat_interval).toBe(60);
  });

  it('changes seats, expiry, features and metadata, and records their old values', async ({ app }) => {
    const vendor = await Vendor.create(app);
    const { id } = (await vendor.issue()).body.data;
    const expiresAt = '2099-12-31T00:00:00.000Z';
    const terms = {
      max_seats: 7,
      expires_at: expiresAt,
      features: { ai_assistance: true },
      metadata: { tier: 'gold' },
    };
    const changed = await vendor.send('PATCH', `/${id}`, terms);
    expect(changed.body.data).toMatchObject({ ...terms, available_seats: 7, policy: { max_activations: 70 } });
    expect((await vendor.send('GET', `/${id}`)).body.data).toEqual({ ...changed.body.data, sessions: [] });
    const { data } = (await app.api.get('/v1/audit-log?action=license.updated', vendor.ada.accessToken)).body;
    expect(data[0]).toMatchObject({ before: { max_seats: 3, expires_at: null }, after: { max_seats: 7 } });
    expect((await vendor.send('PATCH', `/${id}`, { expires_at: null })).body.data.expires_at).toBeNull();
    expect((await vendor.send('PATCH', `/${id}`, {})).status).toBe(400);
    expect((await vendor.send('PATCH', '/lic_00000000000000000000000000', { max_seats: 1 })).status).toBe(404);
  });

  it('does not change fields set by the subscription', async ({ app }) => {
    const vendor = await Vendor.create(app);
    const { id } = (await vendor.issue()).body.data;
    await execute(
      app.database,
      `update licenses set subscription_id = 'sub_01kagt2m8xf3q9wz5r7e6b4c1r' where id = $1`,
      [id],
    );
    for (const terms of [{ max_seats: 9 }, { expires_at: null }, { product: 'seathold-demo' }, { features: {} }]) {
      expect((await vendor.send('PATCH', `/${id}`, terms)).body.error.code).toBe('conflict');
    }
    expect((await vendor.send('PATCH', `/${id}`, { external_id: 'crm-3' })).status).toBe(200);
    await execute(app.database, 'update licenses set subscription_id = null where id = $1', [id]);
  });
});

describe('the state of a license', () => {
  it('is changed with a reason shown to the customer, and a revoked license stays revoked', async ({ app }) => {
    const vendor = await Vendor.create(app);
    const { id } = (await vendor.issue()).body.data;
    const reason = 'The invoice was not paid.';
    expect((await vendor.send('POST', `/${id}/suspend`, {})).status).toBe(400);
    expect((await vendor.send('POST', `/${id}/suspend`, { reason })).body.data.status).toBe('suspended');
    expect((await vendor.send('POST', `/${id}/suspend`, { reason })).status).toBe(409);
    expect((await vendor.send('POST', `/${id}/reinstate`, {})).body.data.status).toBe('active');
    expect((await vendor.send('POST', `/${id}/revoke`, { reason })).body.data.status).toBe('revoked');
    expect((await vendor.send('PATCH', `/${id}`, { max_seats: 9 })).status).toBe(409);
    expect((await vendor.send('POST', '/lic_00000000000000000000000000/revoke', { reason })).status).toBe(404);
    const { data } = (await app.api.get('/v1/audit-log?action=license.suspended', vendor.ada.accessToken)).body;
    expect(data[0].after).toMatchObject({ status: 'suspended', reason });
  });
});

describe('GET /v1/operator/licenses', () => {
  it('finds a license by its key, its external_id, its organization and its status', async ({ app }) => {
    const vendor = await Vendor.create(app);
    const { id, key } = (await vendor.issue({ external_id: 'crm-9' })).body.data;
    const other = (await vendor.issue({ expires_at: '2020-01-01T00:00:00Z' })).body.data;
    const list = async (query: string) =>
      (await vendor.send('GET', `?${query}`)).body.data.map((license: { id: string }) => license.id);
    const of = `organization_id=${vendor.ada.organizationId}`;
    expect(await list(`key=${key}`)).toEqual([id]);
    expect(await list('external_id=crm-9')).toEqual([id]);
    expect(await list(of)).toEqual([other.id, id]);
    expect(await list(`${of}&status=expired`)).toEqual([other.id]);
    expect(await list(`${of}&status=active`)).toEqual([id]);
    expect(await list(`${of}&expires_before=2030-01-01T00:00:00Z`)).toEqual([other.id]);
    expect(await list(`${of}&product=nothing`)).toEqual([]);
  });
});

describe('GET /v1/operator/licenses/{license_id}', () => {
  it('includes the active sessions, with the names that the admins of the customer see', async ({ app }) => {
    const vendor = await Vendor.create(app);
    const { accessToken } = vendor.ada;
    const { id, key } = (await vendor.issue()).body.data;
    expect((await vendor.send('GET', `/${id}`)).body.data.sessions).toEqual([]);
    const seat = { license_key: key, hardware_id: `hw_${'1'.repeat(32)}`, metadata: { hostname: 'workstation-7' } };
    await app.api.post('/v1/licenses/acquire', accessToken, seat);
    const released = (
      await app.api.post('/v1/licenses/acquire', accessToken, { ...seat, hardware_id: `hw_${'2'.repeat(32)}` })
    ).body.data;
    await app.api.post('/v1/licenses/release', accessToken, { session_id: released.session_id });

    const { sessions } = (await vendor.send('GET', `/${id}`)).body.data;
    expect(sessions).toMatchObject([
      { hostname: 'workstation-7', user: { id: vendor.ada.userId, email: vendor.ada.email } },
    ]);
    expect(sessions).toEqual((await app.api.get(`/v1/licenses/${id}`, accessToken)).body.data.sessions);
  });
});
