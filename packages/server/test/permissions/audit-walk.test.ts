import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execute, type Member } from '../harness/index.ts';
import { registerStaff } from '../harness/staff.ts';
import { makeOperatorToken } from '../usage/usage-world.ts';
import { AUDITED_CALLS, AuditWorld, playForCustomer, WITHOUT_AUDIT } from './audit-cases.ts';
import { demandOf } from './permission-table.ts';

let world: AuditWorld;

beforeAll(async () => {
  world = await AuditWorld.start();
});
afterAll(() => world.test.close());

interface Entry {
  organization_id: string;
  action: string;
  actor_user_id: string | null;
  by_staff: boolean;
  credential_kind: string;
  credential_id: string | null;
  client_address: string | null;
  target_type: string;
  target_id: string;
  before: unknown;
  after: unknown;
}

/** The audit log's entries about a request, in any organization. */
const entriesOf = (requestId: string | null) =>
  execute<Entry>(
    world.test.database,
    `select organization_id, action, actor_user_id, by_staff, credential_kind, credential_id, client_address, target_type, target_id, before, after
      from audit_entries where request_id = $1 order by id`,
    [requestId],
  );

/** Text that starts like one of our secrets, or looks like the hash of one written by PostgreSQL or JavaScript. */
const SECRET =
  /(svc_(live|test|sat|srt|oat|ort|oac|odc|ocs|inv|prt|evt|opt|act|wpl|wps)|ch|whsec)_[0-9A-Za-z+/]{20}|\\\\x[0-9a-f]{32}|\$argon2/;

/** The recorded calls that staff may make for a customer. */
const ACTED = Object.keys(AUDITED_CALLS).filter((route) => {
  const [method = '', path = ''] = route.split(' ');
  const demand = demandOf(method, path);
  return 'acting' in demand && typeof demand.acting !== 'string';
});

describe('the audit log', () => {
  it('covers every route that changes something: it is recorded, or there is a reason not to', () => {
    const changing = world.test.service.routes
      .filter(({ method, path }) => method !== 'GET' && demandOf(method, path).token)
      .map(({ method, path }) => `${method} ${path}`);
    expect([...Object.keys(AUDITED_CALLS), ...Object.keys(WITHOUT_AUDIT)].sort()).toEqual(changing.sort());
  });

  it.each(Object.keys(AUDITED_CALLS))(
    'records who did what to what, from where and with which token: %s',
    async (route) => {
      const { answer, actor, operatorTokenId } = (await AUDITED_CALLS[route]?.(world)) ?? {};
      expect([answer?.status, answer?.body?.error]).toEqual([expect.toSatisfy((status) => status < 300), undefined]);
      const entries = await entriesOf(answer?.headers.get('x-request-id') ?? null);
      expect(entries).not.toEqual([]);
      for (const entry of entries) {
        expect(entry).toMatchObject({
          action: expect.stringMatching(/^[a-z_]+\.[a-z_]+$/),
          ...(operatorTokenId === undefined
            ? {
                actor_user_id: actor?.userId,
                credential_kind: 'session',
                credential_id: expect.stringMatching(/^login_/),
              }
            : { actor_user_id: null, credential_kind: 'operator', credential_id: operatorTokenId }),
          client_address: expect.stringMatching(/./),
          target_type: expect.stringMatching(/^[a-z_]+$/),
          target_id: expect.stringMatching(/./),
        });
        expect(JSON.stringify([entry.before, entry.after])).not.toMatch(SECRET);
      }
    },
  );

  describe('of a customer', () => {
    let staff: Member;
    let program: { id: string; token: string };
    beforeAll(async () => {
      staff = await registerStaff(world.test, world.clock, 'owner');
      program = await makeOperatorToken(world.test);
    });

    it.each(ACTED)('names the staff member or program that acted for the customer: %s', async (route) => {
      for (const [token, told] of [
        [staff.accessToken, { actor_user_id: staff.userId, by_staff: true, credential_kind: 'session' }],
        [program.token, { actor_user_id: null, credential_kind: 'operator', credential_id: program.id }],
      ] as const) {
        const { answer, customer } = await playForCustomer(world, route, token);
        expect([answer?.status, answer?.body?.error]).toEqual([expect.toSatisfy((status) => status < 300), undefined]);
        const entries = await entriesOf(answer?.headers.get('x-request-id') ?? null);
        expect(entries).not.toEqual([]);
        for (const entry of entries) {
          expect(entry).toMatchObject({ ...told, organization_id: customer.organizationId });
        }
      }
    });
  });

  it('names the API token of a change', async () => {
    const actor = await world.test.register();
    const { id, token } = await world.data(actor, 'POST', '/v1/api-tokens', { name: 'CI', scopes: ['write:projects'] });
    const answer = await world.test.api.post('/v1/projects', token, { name: 'Film' });
    expect(await entriesOf(answer.headers.get('x-request-id'))).toMatchObject([
      { action: 'project.created', actor_user_id: actor.userId, credential_kind: 'api', credential_id: id },
    ]);
  });

  it('records no refused request, and no replayed request twice', async () => {
    const actor = await world.test.register();
    const refused = await world.send(actor, 'DELETE', '/v1/api-tokens/tok_nothing');
    expect(await entriesOf(refused.headers.get('x-request-id'))).toEqual([]);
    const create = () =>
      world.test.api.post('/v1/projects', actor.accessToken, { name: 'Film' }, { 'idempotency-key': 'once' });
    const answers = [await create(), await create()];
    const told = await Promise.all(answers.map(({ headers }) => entriesOf(headers.get('x-request-id'))));
    expect(told.map((entries) => entries.length)).toEqual([1, 0]);
  });
});
