import { describe, expect } from 'vitest';
import { createTest } from '../../../test/harness/fixtures.ts';
import { execute, type Member, type TestApp } from '../../../test/harness/index.ts';
import { joinOrganization } from '../../../test/harness/join-organization.ts';
import { makeOperatorToken } from '../../../test/usage/usage-world.ts';

const it = createTest({ environment: 'sandbox' })
  .extend('viewer', { scope: 'file' }, async ({ app }) => (await makeOperatorToken(app, null, 'viewer')).token)
  .extend('finance', { scope: 'file' }, async ({ app }) => (await makeOperatorToken(app, null, 'finance')).token);

const PATH = '/v1/operator/organizations';
const list = async (app: TestApp, token: string, query: Readonly<Record<string, string>>) => {
  const answer = await app.api.get(`${PATH}?${new URLSearchParams(query)}`, token);
  expect([answer.status, answer.body.error]).toEqual([200, undefined]);
  return answer.body;
};
const idsOf = async (app: TestApp, token: string, query: Readonly<Record<string, string>>) =>
  (await list(app, token, query)).data.map(({ id }: { id: string }) => id);
const rename = async (app: TestApp, member: Member, name: string) => {
  const answer = await app.api.call('PATCH', `/v1/orgs/${member.organizationId}`, {
    token: member.accessToken,
    body: { name },
  });
  expect(answer.status).toBe(200);
};
/** Buys the cheapest paid plan. */
async function buy(app: TestApp, member: Member, quantity: number): Promise<{ name: string }> {
  const plans: Array<{ id: string; name: string; price: number | null }> = (await app.api.get('/v1/plans')).body.data;
  const plan = plans.find(({ price }) => price !== null && price > 0) ?? { id: '', name: '' };
  const order = { plan_id: plan.id, quantity, payment_method_id: 'pm_card_visa' };
  expect((await app.api.post('/v1/subscriptions', member.accessToken, order)).status).toBe(201);
  return plan;
}

describe('GET /v1/operator/organizations', () => {
  it('shows who the customer is, what they bought and use, and when they were last active', async ({
    app,
    viewer,
    finance,
    ada,
  }) => {
    const plan = await buy(app, ada, 3);
    const license = await app.issueLicense(ada.organizationId, { maxSeats: 4 });
    const machine = { license_key: license.key, hardware_id: `hw_${'0'.repeat(32)}` };
    expect((await app.api.post('/v1/licenses/acquire', ada.accessToken, machine)).status).toBe(201);
    const credit = { organization_id: ada.organizationId, amount: 700, currency: 'usd', reason: 'An outage' };
    expect((await app.api.post('/v1/operator/credits', finance, credit)).status).toBe(201);

    const [shown] = (await list(app, viewer, { query: ada.organizationId })).data;

    const own = (await app.api.get(`/v1/orgs/${ada.organizationId}`, ada.accessToken)).body.data;
    expect(shown).toEqual({
      id: ada.organizationId,
      name: own.name,
      status: 'active',
      external_id: null,
      created_at: own.created_at,
      member_count: 1,
      seats: { included: 7, used: 1 },
      plan_name: plan.name,
      balance: 700,
      balance_currency: 'usd',
      last_active_at: expect.stringMatching(/Z$/),
    });
    const usage = (await app.api.get('/v1/usage', ada.accessToken)).body.data.seats;
    expect(shown.seats).toEqual({ included: usage.included, used: usage.used });
  });

  it('shows zero and null if nothing is bought, used or owed, and no seat that has timed out', async ({
    app,
    viewer,
  }) => {
    const bob = await app.register();
    await execute(app.database, 'delete from login_sessions where user_id = $1', [bob.userId]);
    const [shown] = (await list(app, viewer, { query: bob.organizationId })).data;
    expect(shown).toMatchObject({
      seats: { included: 0, used: 0 },
      plan_name: null,
      balance: 0,
      balance_currency: null,
      last_active_at: null,
    });
    const eve = await app.register();
    const { key } = await app.issueLicense(eve.organizationId, { maxSeats: 2 });
    const machine = { license_key: key, hardware_id: `hw_${'1'.repeat(32)}` };
    await app.api.post('/v1/licenses/acquire', eve.accessToken, machine);
    const used = async () => (await list(app, viewer, { query: eve.organizationId })).data[0].seats;
    expect(await used()).toEqual({ included: 2, used: 1 });
    await execute(
      app.database,
      `update seat_slots set deadline = deadline - interval '1 hour', reap_at = reap_at - interval '1 hour'
        where organization_id = $1 and session_id is not null`,
      [eve.organizationId],
    );
    expect(await used()).toEqual({ included: 2, used: 0 });
  });

  it('finds an organization by any exact identifier', async ({ app, viewer, ada }) => {
    const colleague = await joinOrganization(app, ada);
    const license = await app.issueLicense(ada.organizationId);
    await buy(app, ada, 1);
    const [invoice] = (await app.api.get('/v1/invoices', ada.accessToken)).body.data;
    const found = (query: string) => idsOf(app, viewer, { query });
    expect(await found(` ${ada.organizationId} `)).toEqual([ada.organizationId]);
    expect(await found(ada.email.toUpperCase())).toEqual([ada.organizationId]);
    expect((await found(colleague.email)).toSorted()).toEqual(
      [ada.organizationId, colleague.organizationId].toSorted(),
    );
    expect(await found(license.key.toLowerCase())).toEqual([ada.organizationId]);
    expect(await found(invoice.number.toLowerCase())).toEqual([ada.organizationId]);
    for (const unknown of [`org_${'0'.repeat(26)}`, 'nobody@example.com', 'AAAAA-AAAAA-AAAAA-AAAAA', 'NONE-000001']) {
      expect(await found(unknown)).toEqual([]);
    }
  });

  it('finds names by prefix, in any case, and takes every character literally', async ({ app, viewer }) => {
    const [one, two, three] = [await app.register(), await app.register(), await app.register()];
    await rename(app, one, 'Ägypten_100% Film');
    await rename(app, two, 'ÄGYPTEN Film');
    await rename(app, three, 'ägyptenXfilm');
    const found = (query: string) => idsOf(app, viewer, { query, sort: 'name' });
    expect(await found('ägypten')).toEqual([two, one, three].map(({ organizationId }) => organizationId));
    expect(await found('ägypten_')).toEqual([one.organizationId]);
    expect(await found('ÄGYPTEN ')).toHaveLength(3);
    expect(await found('ägypten_100%')).toEqual([one.organizationId]);
    expect(await found('%film')).toEqual([]);
    expect(await found("ägypten' or true --")).toEqual([]);
  });

  it('sorts, filters and pages without losing or repeating one', async ({ app, viewer }) => {
    const members = await Promise.all(['b', 'A', 'a', 'C'].map(async () => app.register()));
    for (const [at, name] of ['Zoo b', 'zoo A', 'Zoo a', 'zoo C'].entries()) {
      const member = members[at];
      if (member !== undefined) {
        await rename(app, member, name);
      }
    }
    const pageThrough = async (query: Record<string, string>) => {
      const names: string[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const page = await list(app, viewer, { ...query, limit: '1', ...(cursor === '' ? {} : { cursor }) });
        names.push(...page.data.map(({ name }: { name: string }) => name.toLowerCase()));
        cursor = page.pagination.next_cursor;
      }
      return names;
    };
    expect(await pageThrough({ query: 'ZOO', sort: 'name' })).toEqual(['zoo a', 'zoo a', 'zoo b', 'zoo c']);
    expect(await pageThrough({ query: 'zoo', sort: '-name' })).toEqual(['zoo c', 'zoo b', 'zoo a', 'zoo a']);
    expect(await pageThrough({ query: 'zoo' })).toHaveLength(4);
    const suspended = members[0]?.organizationId ?? '';
    await execute(app.database, 'update organizations set suspended_at = now() where id = $1', [suspended]);
    expect(await idsOf(app, viewer, { query: 'zoo', status: 'suspended' })).toEqual([suspended]);
    expect(await idsOf(app, viewer, { query: 'zoo', status: 'active' })).toHaveLength(3);
    expect(await idsOf(app, viewer, { query: 'zoo', created_before: '2020-01-01T00:00:00Z' })).toEqual([]);
  });

  it('does not show a deleted organization', async ({ app, viewer }) => {
    const eve = await app.register();
    const { name } = (await app.api.get(`/v1/orgs/${eve.organizationId}`, eve.accessToken)).body.data;
    await app.api.call('DELETE', `/v1/orgs/${eve.organizationId}`, { token: eve.accessToken, body: { confirm: name } });
    expect(await idsOf(app, viewer, { query: eve.organizationId })).toEqual([]);
  });

  it('400, 401, 403', async ({ app, viewer, ada }) => {
    const codeOf = async (query: string, token?: string) => (await app.api.get(`${PATH}?${query}`, token)).body.error;
    expect(await codeOf('status=gone', viewer)).toMatchObject({ details: { field: 'status' } });
    expect(await codeOf('sort=seats', viewer)).toMatchObject({ details: { field: 'sort' } });
    expect(await codeOf('query=%00', viewer)).toMatchObject({ code: 'invalid_request' });
    expect(await codeOf('')).toMatchObject({ code: 'invalid_token' });
    expect(await codeOf('', ada.accessToken)).toMatchObject({ code: 'insufficient_scope' });
  });
});
