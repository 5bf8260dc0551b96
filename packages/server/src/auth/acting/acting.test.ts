import { describe, expect } from 'vitest';
import { createApiToken } from '../../../test/harness/create-api-token.ts';
import { createTest } from '../../../test/harness/fixtures.ts';
import { execute, type Member, type TestApp } from '../../../test/harness/index.ts';
import { joinOrganization } from '../../../test/harness/join-organization.ts';
import { makeStaff, registerStaff } from '../../../test/harness/staff.ts';
import { codeAt, MovedClock, registerWithTwoFactor } from '../../../test/harness/two-factor.ts';
import { makeOperatorToken } from '../../../test/usage/usage-world.ts';
import { INSTALLATION, OPERATOR_COMMAND } from '../../audit/index.ts';
import { revokeOperatorToken } from '../../auth/index.ts';

const COMMAND = { ...OPERATOR_COMMAND, organizationId: INSTALLATION };
const clock = new MovedClock();
const it = createTest({ clock })
  .extend('customer', { scope: 'file' }, ({ app }) => app.register('Customer'))
  /** The response to a request: the organization's ID, or the reason for the refusal. */
  .extend(
    'read',
    ({ app, customer }) =>
      async (token: string, organizationId = customer.organizationId, target = app) => {
        const { status, body } = await target.api.get(pathOf(organizationId), token, naming(organizationId));
        return status === 200 ? body.data.id : [status, body.error.code];
      },
  )
  .extend(
    'rename',
    ({ app, customer }) =>
      (token: string, name: string, organizationId = customer.organizationId, target = app) =>
        target.api.call('PATCH', pathOf(organizationId), { token, body: { name }, headers: naming(organizationId) }),
  );

const naming = (organizationId: string) => ({ 'x-organization-id': organizationId });
const pathOf = (organizationId: string) => `/v1/orgs/${organizationId}`;

const NOT_FOUND = [404, 'not_found'];

describe('staff who name a customer in X-Organization-Id', () => {
  it('act as its admin within their role, and its audit log names them for what they change', async ({
    app,
    customer,
    rename,
  }) => {
    const ada = await registerStaff(app, clock, 'support');
    const renamed = await rename(ada.accessToken, 'Customer Ltd');
    expect(renamed.body.data).toMatchObject({ id: customer.organizationId, name: 'Customer Ltd', role: 'admin' });
    const log = await app.api.get('/v1/audit-log?action=organization.updated', customer.accessToken);
    expect(log.body.data[0]).toMatchObject({
      actor: { type: 'staff', id: ada.userId, email: ada.email, user_id: ada.userId },
      request_id: renamed.headers.get('x-request-id'),
      after: { name: 'Customer Ltd' },
    });
  });

  it('are refused when a viewer writes or support touches money', async ({ app, customer }) => {
    const viewer = await registerStaff(app, clock, 'viewer');
    const support = await registerStaff(app, clock, 'support');
    const finance = await registerStaff(app, clock, 'finance');
    const headers = naming(customer.organizationId);
    const roleFor = async (member: Member, method: string, path: string, body: unknown) => {
      const answer = await app.api.call(method, path, { token: member.accessToken, body, headers });
      return answer.status === 403 ? answer.body.error.details.required_role : answer.status;
    };
    expect(await roleFor(viewer, 'POST', '/v1/projects', { name: 'Film' })).toBe('support');
    expect(await roleFor(finance, 'POST', '/v1/projects', { name: 'Film' })).toBe('support');
    expect(await roleFor(support, 'POST', '/v1/projects', { name: 'Film' })).toBe(201);
    expect(await roleFor(support, 'POST', '/v1/payment-methods', { payment_method_id: 'pm_1' })).toBe('finance');
    const details = { billing_details: { legal_name: 'Customer Limited' } };
    expect(await roleFor(support, 'PATCH', pathOf(customer.organizationId), details)).toBe('finance');
    expect(await roleFor(finance, 'PATCH', pathOf(customer.organizationId), details)).toBe(200);
    expect(await roleFor(finance, 'PATCH', pathOf(customer.organizationId), { name: 'Mine' })).toBe('support');
    expect(await roleFor(support, 'DELETE', pathOf(customer.organizationId), { confirm: 'Customer' })).toBe('owner');
    // A mixed change is refused as a whole.
    const mixed = { name: 'Mine', ...details };
    expect(await roleFor(finance, 'PATCH', pathOf(customer.organizationId), mixed)).toBe('support');
  });

  it('need the header: without it, the organization in the path is not theirs', async ({ app, customer }) => {
    const ada = await registerStaff(app, clock, 'owner');
    const { organizationId } = customer;
    const byPath = await app.api.get(pathOf(organizationId), ada.accessToken);
    expect([byPath.status, byPath.body.error.code]).toEqual(NOT_FOUND);
    const home = await app.api.get(pathOf(organizationId), ada.accessToken, naming(ada.organizationId));
    expect([home.status, home.body.error.code]).toEqual(NOT_FOUND);
    const other = await app.register();
    const mixed = await app.api.get(pathOf(organizationId), ada.accessToken, naming(other.organizationId));
    expect([mixed.status, mixed.body.error.code]).toEqual(NOT_FOUND);
  });

  it('find no organization that does not exist or was deleted', async ({ app, read }) => {
    const ada = await registerStaff(app, clock, 'owner');
    const gone = await app.register('Gone');
    const body = { confirm: 'Gone' };
    const deleted = await app.api.call('DELETE', pathOf(gone.organizationId), { token: gone.accessToken, body });
    expect(deleted.status).toBe(204);
    for (const id of [gone.organizationId, 'org_nothing', 'x'.repeat(128)]) {
      expect(await read(ada.accessToken, id)).toEqual(NOT_FOUND);
    }
    const empty = await app.api.get('/v1/projects', ada.accessToken, naming(''));
    expect([empty.status, empty.body.error.code]).toEqual(NOT_FOUND);
  });

  it('must use two-factor authentication, whether or not the organization exists', async ({ app, ada, customer }) => {
    await makeStaff(app, ada, 'owner');
    for (const id of [customer.organizationId, 'org_nothing']) {
      const { status, body } = await app.api.get('/v1/projects', ada.accessToken, naming(id));
      expect([status, body.error.code]).toEqual([403, 'two_factor_required']);
    }
    const operator = await app.api.get('/v1/operator/payments', ada.accessToken);
    expect([operator.status, operator.body.error.code]).toEqual([403, 'two_factor_required']);
    expect((await app.api.get('/v1/projects', ada.accessToken)).status).toBe(200);
  });

  it('act by their membership if they are members, not as staff', async ({ app, rename }) => {
    const ada = await registerStaff(app, clock, 'viewer');
    const owner = await app.register();
    const token = await inviteTo(app, owner, ada);
    expect((await app.api.post('/v1/invitations/accept', ada.accessToken, { token })).status).toBe(200);
    expect((await rename(ada.accessToken, 'As an admin', owner.organizationId)).status).toBe(200);
    const [entry] = (await app.api.get('/v1/audit-log?action=organization.updated', owner.accessToken)).body.data;
    expect(entry.actor).toMatchObject({ type: 'user', email: null });
    const me = await app.api.get('/v1/me', ada.accessToken, naming(owner.organizationId));
    expect(me.body.data).toMatchObject({ organization: { role: 'admin' }, staff: { role: 'viewer' } });
  });

  it('release a customer’s seat, but cannot take one', async ({ app, customer }) => {
    const ada = await registerStaff(app, clock, 'support');
    const license = await app.issueLicense(customer.organizationId);
    const asked = { license_key: license.key, hardware_id: `hw_${'0'.repeat(32)}` };
    const headers = naming(customer.organizationId);
    const seat = await app.api.post('/v1/licenses/acquire', customer.accessToken, asked);
    const session = { session_id: seat.body.data.session_id };
    for (const [path, body] of [
      ['acquire', asked],
      ['heartbeat', session],
    ] as const) {
      // The second time, the token may still be cached from the first.
      for (let n = 0; n < 2; n += 1) {
        const refused = await app.api.post(`/v1/licenses/${path}`, ada.accessToken, body, headers);
        expect(refused.body.error).toMatchObject({ code: 'forbidden', details: { required_role: 'member' } });
      }
    }
    const released = await app.api.post('/v1/licenses/release', ada.accessToken, session, headers);
    expect(released.body.data).toMatchObject({ status: 'released' });
  });

  it('invite members, and are named in the invitation', async ({ app, customer }) => {
    const ada = await registerStaff(app, clock, 'support');
    const program = await makeOperatorToken(app, null, 'support');
    const headers = naming(customer.organizationId);
    const path = `${pathOf(customer.organizationId)}/invitations`;
    const byStaff = await app.api.post(path, ada.accessToken, { email: 'kay@example.com', role: 'member' }, headers);
    expect(byStaff.body.data.invited_by).toBe(ada.userId);
    const byProgram = await app.api.post(path, program.token, { email: 'alan@example.com', role: 'admin' }, headers);
    expect([byProgram.status, byProgram.body.data.invited_by]).toEqual([201, null]);
    const [mail] = await app.mailsTo('alan@example.com');
    expect(mail?.paragraphs[0]).toContain('You have been invited to join the organization');
    const [removed] = [await joinOrganization(app, customer)];
    const options = { token: program.token, headers };
    const member = `${pathOf(customer.organizationId)}/members/${removed.userId}`;
    expect((await app.api.call('PATCH', member, { ...options, body: { role: 'billing' } })).status).toBe(200);
    expect((await app.api.call('DELETE', member, options)).status).toBe(204);
    const [entry] = (await app.api.get('/v1/audit-log?action=member.removed', customer.accessToken)).body.data;
    expect(entry.actor).toMatchObject({ type: 'operator_token', id: program.id, email: null, user_id: null });
  });
});

/** Invites a person as an admin, and returns the code. */
async function inviteTo(app: TestApp, owner: Member, { email }: Member): Promise<string> {
  await app.api.post(`${pathOf(owner.organizationId)}/invitations`, owner.accessToken, { email, role: 'admin' });
  return (await app.mailsTo(email)).findLast((mail) => mail.kind === 'invitation')?.code ?? '';
}

describe('a staff role', () => {
  it('is lost at the very next request, on another process too', async ({ app, second, customer, read, rename }) => {
    const ada = await registerStaff(app, clock, 'support');
    const change = (app: TestApp) => rename(ada.accessToken, `Customer ${Math.random()}`, undefined, app);
    expect([(await change(app)).status, (await change(second)).status]).toEqual([200, 200]);
    await makeStaff(app, ada, 'viewer');
    const demoted = [await change(second), await change(app)].map(({ body }) => body.error.details);
    expect(demoted).toEqual([{ required_role: 'support' }, { required_role: 'support' }]);
    expect(await read(ada.accessToken, undefined, second)).toBe(customer.organizationId);
    await makeStaff(app, ada, null);
    for (const target of [second, app]) {
      expect(await read(ada.accessToken, undefined, target)).toEqual(NOT_FOUND);
      expect((await target.api.get('/v1/operator/payments', ada.accessToken)).body.error.code).toBe(
        'insufficient_scope',
      );
    }
  });

  it('applies only to the login that turned two-factor on and to logins that passed it', async ({
    app,
    ada,
    customer,
    read,
  }) => {
    await makeStaff(app, ada, 'viewer');
    const { email, password } = ada;
    const before = (await app.api.post('/v1/auth/login', undefined, { email, password })).body.data;
    const { secret } = (await app.api.post('/v1/auth/2fa/setup', ada.accessToken, undefined)).body.data;
    await app.api.post('/v1/auth/2fa/enable', ada.accessToken, { code: codeAt(clock, secret) });
    expect(await read(ada.accessToken)).toBe(customer.organizationId);
    expect(await read(before.access_token)).toEqual([403, 'two_factor_required']);
    clock.nextStep();
    const challenge = (await app.api.post('/v1/auth/login', undefined, { email, password })).body.data.challenge_token;
    const answer = { challenge_token: challenge, code: codeAt(clock, secret) };
    const login = (await app.api.post('/v1/auth/2fa/verify', undefined, answer)).body.data;
    expect(await read(login.access_token)).toBe(customer.organizationId);
    const refresh = { refresh_token: login.refresh_token };
    const refreshed = (await app.api.post('/v1/auth/refresh', undefined, refresh)).body.data;
    expect(await read(refreshed.access_token)).toBe(customer.organizationId);
    clock.nextStep();
    const proof = { password, code: codeAt(clock, secret) };
    expect((await app.api.post('/v1/auth/2fa/disable', ada.accessToken, proof)).status).toBe(200);
    for (const token of [ada.accessToken, refreshed.access_token]) {
      expect(await read(token)).toEqual([403, 'two_factor_required']);
    }
  });

  it('does not apply to an API token of the same user', async ({ app, read }) => {
    const ada = await registerStaff(app, clock, 'owner');
    const token = await createApiToken(app, ada, ['read:org', 'admin:org']);
    expect(await read(token)).toEqual(NOT_FOUND);
    expect((await app.api.get('/v1/operator/payments', token)).body.error.code).toBe('insufficient_scope');
  });

  it('is shown by GET /v1/me, and is null for everyone else', async ({ app, customer }) => {
    const ada = await registerStaff(app, clock, 'finance');
    expect((await app.api.get('/v1/me', ada.accessToken)).body.data.staff).toEqual({ role: 'finance' });
    expect((await app.api.get('/v1/me', customer.accessToken)).body.data.staff).toBeNull();
  });
});

describe('a customer', () => {
  it('does not find another organization, even as an admin with two-factor', async ({ app, read, rename }) => {
    const grace = await registerWithTwoFactor(app, clock);
    expect(await read(grace.accessToken)).toEqual(NOT_FOUND);
    expect((await rename(grace.accessToken, 'Mine')).status).toBe(404);
    expect((await app.api.get('/v1/projects', grace.accessToken, naming('org_nothing'))).status).toBe(404);
  });
});

describe('an operator token', () => {
  it('acts within its role for the named organization, and is refused as soon as it is revoked', async ({
    app,
    second,
    customer,
    read,
    rename,
  }) => {
    const program = await makeOperatorToken(app, null, 'support');
    expect(await read(program.token)).toBe(customer.organizationId);
    expect((await rename(program.token, 'By a program')).status).toBe(200);
    const [entry] = (await app.api.get('/v1/audit-log?action=organization.updated', customer.accessToken)).body.data;
    expect(entry.actor).toEqual({
      type: 'operator_token',
      id: program.id,
      email: null,
      user_id: null,
      credential: { kind: 'operator', id: program.id },
    });
    await revokeOperatorToken(app.database, COMMAND, program.id);
    expect(await read(program.token, undefined, second)).toEqual([401, 'invalid_token']);
  });

  it('created before roles existed has the role owner', async ({ app, rename }) => {
    const program = await makeOperatorToken(app);
    await execute(app.database, 'update operator_tokens set role = default where id = $1', [program.id]);
    expect((await rename(program.token, 'By an owner')).status).toBe(200);
    expect((await app.api.get('/v1/operator/payments', program.token)).status).toBe(200);
  });
});

it('a staff address is erased from a customer’s log with the account', async ({ app, customer, rename }) => {
  const ada = await registerStaff(app, clock, 'support');
  await rename(ada.accessToken, 'For the log');
  const code = codeAt(clock, ada.secret);
  const body = { password: ada.password, code };
  expect((await app.api.call('DELETE', '/v1/me', { token: ada.accessToken, body })).status).toBe(204);
  await app.runJobs();
  const [entry] = (await app.api.get('/v1/audit-log?action=organization.updated', customer.accessToken)).body.data;
  expect(entry.actor).toMatchObject({ type: 'staff', id: ada.userId, email: null });
  expect(await execute(app.database, 'select 1 from staff_members where user_id = $1', [ada.userId])).toEqual([]);
});
