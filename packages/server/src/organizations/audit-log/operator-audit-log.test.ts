import { describe, expect } from 'vitest';
import { createTest } from '../../../test/harness/fixtures.ts';
import { startAppForTest, type TestApp } from '../../../test/harness/index.ts';
import { registerStaff } from '../../../test/harness/staff.ts';
import { MovedClock } from '../../../test/harness/two-factor.ts';
import { makeOperatorToken } from '../../../test/usage/usage-world.ts';
import { INSTALLATION, OPERATOR_COMMAND, recordAudit } from '../../audit/index.ts';

const clock = new MovedClock();

const it = createTest({ clock })
  .extend('viewer', { scope: 'file' }, ({ app }) => registerStaff(app, clock, 'viewer'))
  .extend('world', { scope: 'file' }, async ({ app }) => {
    const customer = await app.register('Customer');
    const support = await registerStaff(app, clock, 'support');
    const program = await makeOperatorToken(app, null, 'support');
    const headers = { 'x-organization-id': customer.organizationId };
    const path = `/v1/orgs/${customer.organizationId}`;
    for (const [token, name] of [
      [customer.accessToken, 'By the customer'],
      [support.accessToken, 'By staff'],
      [program.token, 'By a program'],
    ]) {
      await app.api.call('PATCH', path, { token, headers, body: { name } });
    }
    const entry = { action: 'catalogue.applied', targetType: 'catalogue', targetId: 'catalogue' };
    await recordAudit(app.database, { ...OPERATOR_COMMAND, organizationId: INSTALLATION }, entry);
    return { customer, support, program };
  });

interface Entry {
  action: string;
  organization_id: string | null;
  actor: { type: string; id: string | null; email: string | null };
  after: { name?: string } | null;
}

async function read(app: TestApp, token: string, query = ''): Promise<Entry[]> {
  const { body } = await app.api.get(`/v1/operator/audit-log?limit=100${query}`, token);
  return body.data;
}

const RENAMED = '&action=organization.updated';

describe('GET /v1/operator/audit-log', () => {
  it('200: shows what happened in every organization and to the installation, with the names of the actors', async ({
    app,
    viewer,
    world,
  }) => {
    const { customer, support, program } = world;
    const [installation] = await read(app, viewer.accessToken);
    expect(installation).toMatchObject({
      action: 'catalogue.applied',
      organization_id: null,
      actor: { type: 'operator', id: null, email: null },
    });
    expect(await read(app, viewer.accessToken, RENAMED)).toMatchObject([
      {
        organization_id: customer.organizationId,
        after: { name: 'By a program' },
        actor: { type: 'operator_token', id: program.id, email: null },
      },
      { after: { name: 'By staff' }, actor: { type: 'staff', id: support.userId, email: support.email } },
      { after: { name: 'By the customer' }, actor: { type: 'user', id: customer.userId, email: customer.email } },
    ]);
  });

  it('200: finds what one user or program did, by ID or by email address', async ({ app, viewer, world }) => {
    const { customer, support, program } = world;
    const namesOf = async (actor: string) =>
      (await read(app, viewer.accessToken, `${RENAMED}&actor=${encodeURIComponent(actor)}`)).map(
        ({ after }) => after?.name,
      );
    expect(await namesOf(customer.userId)).toEqual(['By the customer']);
    expect(await namesOf(support.email.toUpperCase())).toEqual(['By staff']);
    expect(await namesOf(program.id)).toEqual(['By a program']);
    expect(await namesOf('nobody@example.com')).toEqual([]);
    expect(await namesOf('@')).toEqual([]);
  });

  it('200: filters by the type of actor', async ({ app, viewer, world }) => {
    expect(world).toBeDefined();
    for (const type of ['user', 'staff', 'operator', 'operator_token', 'unknown']) {
      const found = await read(app, viewer.accessToken, `&actor_type=${type}`);
      expect(new Set(found.map(({ actor }) => actor.type))).toEqual(type === 'unknown' ? new Set() : new Set([type]));
    }
  });

  it('200: filters by organization and time', async ({ app, viewer, world }) => {
    const { organizationId } = world.customer;
    const ofCustomer = await read(app, viewer.accessToken, `&organization_id=${organizationId}`);
    expect(new Set(ofCustomer.map((entry) => entry.organization_id))).toEqual(new Set([organizationId]));
    const ofInstallation = await read(app, viewer.accessToken, '&organization_id=installation');
    expect(ofInstallation.map(({ action }) => action)).toContain('catalogue.applied');
    expect(await read(app, viewer.accessToken, '&created_before=2020-01-01T00:00:00Z')).toEqual([]);
    expect(await read(app, viewer.accessToken, '&created_after=2020-01-01T00:00:00Z')).not.toEqual([]);
  });

  it('200: pages through the entries', async ({ app, viewer, world }) => {
    const seen: string[] = [];
    for (let cursor = ''; ; ) {
      const path = `/v1/operator/audit-log?limit=1&actor=${world.customer.email}${cursor}`;
      const { body } = await app.api.get(path, viewer.accessToken);
      seen.push(...body.data.map((entry: { id: string }) => entry.id));
      if (!body.pagination.has_more) {
        break;
      }
      cursor = `&cursor=${body.pagination.next_cursor}`;
    }
    expect(seen.length).toBeGreaterThan(1);
    expect(new Set(seen).size).toBe(seen.length);
  });

  it('400: refuses an unknown filter', async ({ app, viewer }) => {
    for (const query of ['actor_type=robot', 'created_after=today', 'target=x', 'sort=name', 'limit=0']) {
      const { body } = await app.api.get(`/v1/operator/audit-log?${query}`, viewer.accessToken);
      expect(body.error.code).toBe('invalid_request');
    }
  });

  it('401 and 403: refuses everyone except staff', async ({ app, admin }) => {
    expect((await app.api.get('/v1/operator/audit-log')).status).toBe(401);
    const refused = await app.api.get('/v1/operator/audit-log', admin.accessToken);
    expect(refused.body.error.code).toBe('insufficient_scope');
  });

  it('shows nothing of the other environment', async ({ world }) => {
    const sandbox = await startAppForTest({ environment: 'sandbox' });
    const { token } = await makeOperatorToken(sandbox, null, 'viewer');
    expect(await read(sandbox, token, `&organization_id=${world.customer.organizationId}`)).toEqual([]);
    const foreign = await sandbox.api.get('/v1/operator/audit-log', world.program.token);
    expect(foreign.body.error.code).toBe('invalid_token');
  });
});
