import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execute, type Member, openTestApp, type TestApp } from '../../../test/harness/index.ts';
import { joinOrganization } from '../../../test/harness/join-organization.ts';
import { makeStaff, registerStaff } from '../../../test/harness/staff.ts';
import { codeAt, MovedClock, registerWithTwoFactor } from '../../../test/harness/two-factor.ts';
import { makeOperatorToken } from '../../../test/usage/usage-world.ts';
import { revokeOperatorToken } from '../../auth/index.ts';

const clock = new MovedClock();
let test: TestApp;
/** Another process on the same database. */
let second: TestApp;
let customer: Member;

beforeAll(async () => {
  test = await openTestApp({ clock });
  second = await openTestApp({ clock, beside: test });
  customer = await test.register('Customer');
});
afterAll(async () => {
  await second.close();
  await test.close();
});

const naming = (organizationId: string) => ({ 'x-organization-id': organizationId });
const pathOf = (organizationId: string) => `/v1/orgs/${organizationId}`;

/** What a request is answered: the identifier of the organization, or why not. */
async function read(token: string, organizationId = customer.organizationId, app = test) {
  const { status, body } = await app.api.get(pathOf(organizationId), token, naming(organizationId));
  return status === 200 ? body.data.id : [status, body.error.code];
}

const rename = (token: string, name: string, organizationId = customer.organizationId, app = test) =>
  app.api.call('PATCH', pathOf(organizationId), { token, body: { name }, headers: naming(organizationId) });

const NOT_FOUND = [404, 'not_found'];

describe('staff who name a customer in X-Organization-Id', () => {
  it('act as its admin within their role, and what they change stands in its audit log with their name', async () => {
    const ada = await registerStaff(test, clock, 'support');
    const renamed = await rename(ada.accessToken, 'Customer Ltd');
    expect(renamed.body.data).toMatchObject({ id: customer.organizationId, name: 'Customer Ltd', role: 'admin' });
    const log = await test.api.get('/v1/audit-log?action=organization.updated', customer.accessToken);
    expect(log.body.data[0]).toMatchObject({
      actor: { type: 'staff', id: ada.userId, email: ada.email, user_id: ada.userId },
      request_id: renamed.headers.get('x-request-id'),
      after: { name: 'Customer Ltd' },
    });
  });

  it('are refused as a viewer who writes, and as support that touches money', async () => {
    const viewer = await registerStaff(test, clock, 'viewer');
    const support = await registerStaff(test, clock, 'support');
    const finance = await registerStaff(test, clock, 'finance');
    const headers = naming(customer.organizationId);
    const roleFor = async (member: Member, method: string, path: string, body: unknown) => {
      const answer = await test.api.call(method, path, { token: member.accessToken, body, headers });
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

  it("need the header: the path alone is somebody else's organization", async () => {
    const ada = await registerStaff(test, clock, 'owner');
    const { organizationId } = customer;
    const byPath = await test.api.get(pathOf(organizationId), ada.accessToken);
    expect([byPath.status, byPath.body.error.code]).toEqual(NOT_FOUND);
    const home = await test.api.get(pathOf(organizationId), ada.accessToken, naming(ada.organizationId));
    expect([home.status, home.body.error.code]).toEqual(NOT_FOUND);
    const other = await test.register();
    const mixed = await test.api.get(pathOf(organizationId), ada.accessToken, naming(other.organizationId));
    expect([mixed.status, mixed.body.error.code]).toEqual(NOT_FOUND);
  });

  it('find no organization that does not exist or was deleted', async () => {
    const ada = await registerStaff(test, clock, 'owner');
    const gone = await test.register('Gone');
    const body = { confirm: 'Gone' };
    const deleted = await test.api.call('DELETE', pathOf(gone.organizationId), { token: gone.accessToken, body });
    expect(deleted.status).toBe(204);
    for (const id of [gone.organizationId, 'org_nothing', 'x'.repeat(128)]) {
      expect(await read(ada.accessToken, id)).toEqual(NOT_FOUND);
    }
    const empty = await test.api.get('/v1/projects', ada.accessToken, naming(''));
    expect([empty.status, empty.body.error.code]).toEqual(NOT_FOUND);
  });

  it('are told to use two-factor when their login did not, whether the organization exists or not', async () => {
    const ada = await test.register();
    await makeStaff(test, ada, 'owner');
    for (const id of [customer.organizationId, 'org_nothing']) {
      const { status, body } = await test.api.get('/v1/projects', ada.accessToken, naming(id));
      expect([status, body.error.code]).toEqual([403, 'two_factor_required']);
    }
    const operator = await test.api.get('/v1/operator/payments', ada.accessToken);
    expect([operator.status, operator.body.error.code]).toEqual([403, 'two_factor_required']);
    expect((await test.api.get('/v1/projects', ada.accessToken)).status).toBe(200);
  });

  it('count by their membership first: a member who is staff does not act', async () => {
    const ada = await registerStaff(test, clock, 'viewer');
    const owner = await test.register();
    const token = await inviteTo(owner, ada);
    expect((await test.api.post('/v1/invitations/accept', ada.accessToken, { token })).status).toBe(200);
    expect((await rename(ada.accessToken, 'As an admin', owner.organizationId)).status).toBe(200);
    const [entry] = (await test.api.get('/v1/audit-log?action=organization.updated', owner.accessToken)).body.data;
    expect(entry.actor).toMatchObject({ type: 'user', email: null });
    const me = await test.api.get('/v1/me', ada.accessToken, naming(owner.organizationId));
    expect(me.body.data).toMatchObject({ organization: { role: 'admin' }, staff: { role: 'viewer' } });
  });

  it('free a seat of somebody else, but hold none', async () => {
    const ada = await registerStaff(test, clock, 'support');
    const license = await test.issueLicense(customer.organizationId);
    const asked = { license_key: license.key, hardware_id: `hw_${'0'.repeat(32)}` };
    const headers = naming(customer.organizationId);
    const seat = await test.api.post('/v1/licenses/acquire', customer.accessToken, asked);
    const session = { session_id: seat.body.data.session_id };
    for (const [path, body] of [
      ['acquire', asked],
      ['heartbeat', session],
    ] as const) {
      // The second time, a token may be known from the first.
      for (let n = 0; n < 2; n += 1) {
        const refused = await test.api.post(`/v1/licenses/${path}`, ada.accessToken, body, headers);
        expect(refused.body.error).toMatchObject({ code: 'forbidden', details: { required_role: 'member' } });
      }
    }
    const released = await test.api.post('/v1/licenses/release', ada.accessToken, session, headers);
    expect(released.body.data).toMatchObject({ status: 'released' });
  });

  it('invite members, in whose invitation they are named', async () => {
    const ada = await registerStaff(test, clock, 'support');
    const program = await makeOperatorToken(test, null, 'support');
    const headers = naming(customer.organizationId);
    const path = `${pathOf(customer.organizationId)}/invitations`;
    const byStaff = await test.api.post(path, ada.accessToken, { email: 'kay@example.com', role: 'member' }, headers);
    expect(byStaff.body.data.invited_by).toBe(ada.userId);
    const byProgram = await test.api.post(path, program.token, { email: 'alan@example.com', role: 'admin' }, headers);
    expect([byProgram.status, byProgram.body.data.invited_by]).toEqual([201, null]);
    const [mail] = await test.mailsTo('alan@example.com');
    expect(mail?.paragraphs[0]).toContain('You have been invited to join the organization');
    const [removed] = [await joinOrganization(test, customer)];
    const options = { token: program.token, headers };
    const member = `${pathOf(customer.organizationId)}/members/${removed.userId}`;
    expect((await test.api.call('PATCH', member, { ...options, body: { role: 'billing' } })).status).toBe(200);
    expect((await test.api.call('DELETE', member, options)).status).toBe(204);
    const [entry] = (await test.api.get('/v1/audit-log?action=member.removed', customer.accessToken)).body.data;
    expect(entry.actor).toMatchObject({ type: 'operator_token', id: program.id, email: null, user_id: null });
  });
});

/** Invites a person as an admin, and returns the code. */
async function inviteTo(owner: Member, { email }: Member): Promise<string> {
  await test.api.post(`${pathOf(owner.organizationId)}/invitations`, owner.accessToken, { email, role: 'admin' });
  return (await test.mailsTo(email)).findLast((mail) => mail.kind === 'invitation')?.code ?? '';
}

describe('a staff role', () => {
  it('is lost at the very next request, on another process too', async () => {
    const ada = await registerStaff(test, clock, 'support');
    const change = (app: TestApp) => rename(ada.accessToken, `Customer ${Math.random()}`, undefined, app);
    expect([(await change(test)).status, (await change(second)).status]).toEqual([200, 200]);
    await makeStaff(test, ada, 'viewer');
    const demoted = [await change(second), await change(test)].map(({ body }) => body.error.details);
    expect(demoted).toEqual([{ required_role: 'support' }, { required_role: 'support' }]);
    expect(await read(ada.accessToken, undefined, second)).toBe(customer.organizationId);
    await makeStaff(test, ada, null);
    for (const app of [second, test]) {
      expect(await read(ada.accessToken, undefined, app)).toEqual(NOT_FOUND);
      expect((await app.api.get('/v1/operator/payments', ada.accessToken)).body.error.code).toBe('insufficient_scope');
    }
  });

  it('counts for the login that turned two-factor on and for those that passed it, and for no other', async () => {
    const ada = await test.register();
    await makeStaff(test, ada, 'viewer');
    const { email, password } = ada;
    const before = (await test.api.post('/v1/auth/login', undefined, { email, password })).body.data;
    const { secret } = (await test.api.post('/v1/auth/2fa/setup', ada.accessToken, undefined)).body.data;
    await test.api.post('/v1/auth/2fa/enable', ada.accessToken, { code: codeAt(clock, secret) });
    expect(await read(ada.accessToken)).toBe(customer.organizationId);
    expect(await read(before.access_token)).toEqual([403, 'two_factor_required']);
    clock.nextStep();
    const challenge = (await test.api.post('/v1/auth/login', undefined, { email, password })).body.data.challenge_token;
    const answer = { challenge_token: challenge, code: codeAt(clock, secret) };
    const login = (await test.api.post('/v1/auth/2fa/verify', undefined, answer)).body.data;
    expect(await read(login.access_token)).toBe(customer.organizationId);
    const refresh = { refresh_token: login.refresh_token };
    const refreshed = (await test.api.post('/v1/auth/refresh', undefined, refresh)).body.data;
    expect(await read(refreshed.access_token)).toBe(customer.organizationId);
    clock.nextStep();
    const proof = { password, code: codeAt(clock, secret) };
    expect((await test.api.post('/v1/auth/2fa/disable', ada.accessToken, proof)).status).toBe(200);
    for (const token of [ada.accessToken, refreshed.access_token]) {
      expect(await read(token)).toEqual([403, 'two_factor_required']);
    }
  });

  it('is not that of an API token of the same person', async () => {
    const ada = await registerStaff(test, clock, 'owner');
    const input = { name: 'CI', scopes: ['read:org', 'admin:org'] };
    const { token } = (await test.api.post('/v1/api-tokens', ada.accessToken, input)).body.data;
    expect(await read(token)).toEqual(NOT_FOUND);
    expect((await test.api.get('/v1/operator/payments', token)).body.error.code).toBe('insufficient_scope');
  });

  it('is shown by GET /v1/me, and is null for everybody else', async () => {
    const ada = await registerStaff(test, clock, 'finance');
    expect((await test.api.get('/v1/me', ada.accessToken)).body.data.staff).toEqual({ role: 'finance' });
    expect((await test.api.get('/v1/me', customer.accessToken)).body.data.staff).toBeNull();
  });
});

describe('a customer', () => {
  it('does not find another organization, admin and two-factor or not', async () => {
    const grace = await registerWithTwoFactor(test, clock);
    expect(await read(grace.accessToken)).toEqual(NOT_FOUND);
    expect((await rename(grace.accessToken, 'Mine')).status).toBe(404);
    expect((await test.api.get('/v1/projects', grace.accessToken, naming('org_nothing'))).status).toBe(404);
  });
});

describe('an operator token', () => {
  it('acts within its role for the organization that it names, and is dead at once when it is revoked', async () => {
    const program = await makeOperatorToken(test, null, 'support');
    expect(await read(program.token)).toBe(customer.organizationId);
    expect((await rename(program.token, 'By a program')).status).toBe(200);
    const [entry] = (await test.api.get('/v1/audit-log?action=organization.updated', customer.accessToken)).body.data;
    expect(entry.actor).toEqual({
      type: 'operator_token',
      id: program.id,
      email: null,
      user_id: null,
      credential: { kind: 'operator', id: program.id },
    });
    await revokeOperatorToken(test.database, program.id);
    expect(await read(program.token, undefined, second)).toEqual([401, 'invalid_token']);
  });

  it('of before there were roles is an owner', async () => {
    const program = await makeOperatorToken(test);
    await execute(test.database, 'update operator_tokens set role = default where id = $1', [program.id]);
    expect((await rename(program.token, 'By an owner')).status).toBe(200);
    expect((await test.api.get('/v1/operator/payments', program.token)).status).toBe(200);
  });
});

it('an address of staff is gone from the log of a customer with the account', async () => {
  const ada = await registerStaff(test, clock, 'support');
  await rename(ada.accessToken, 'For the log');
  const code = codeAt(clock, ada.secret);
  const body = { password: ada.password, code };
  expect((await test.api.call('DELETE', '/v1/me', { token: ada.accessToken, body })).status).toBe(204);
  await test.runJobs();
  const [entry] = (await test.api.get('/v1/audit-log?action=organization.updated', customer.accessToken)).body.data;
  expect(entry.actor).toMatchObject({ type: 'staff', id: ada.userId, email: null });
  expect(await execute(test.database, 'select 1 from staff_members where user_id = $1', [ada.userId])).toEqual([]);
});
