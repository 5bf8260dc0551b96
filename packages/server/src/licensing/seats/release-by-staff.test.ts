import { describe, expect } from 'vitest';
import { createTest } from '../../../test/harness/fixtures.ts';
import type { Member, TestApp } from '../../../test/harness/index.ts';
import { registerStaff } from '../../../test/harness/staff.ts';
import { MovedClock } from '../../../test/harness/two-factor.ts';
import { makeOperatorToken } from '../../../test/usage/usage-world.ts';

const clock = new MovedClock();
const it = createTest({ clock });

async function takeSeat(app: TestApp, member: Member): Promise<string> {
  const license = await app.issueLicense(member.organizationId);
  const hardware = `hw_${'a'.repeat(32)}`;
  const body = { license_key: license.key, hardware_id: hardware };
  return (await app.api.post('/v1/licenses/acquire', member.accessToken, body)).body.data.session_id;
}

function release(app: TestApp, token: string, session: string, headers: Readonly<Record<string, string>> = {}) {
  return app.api.call('POST', '/v1/licenses/release', { token, headers, body: { session_id: session } });
}

const entriesOf = async (app: TestApp, { accessToken }: Member) =>
  (await app.api.get('/v1/audit-log?action=license.seat.released', accessToken)).body.data;

describe('a seat released by vendor staff', () => {
  it('is recorded once in the audit log of the customer, with the actor', async ({ app, ada }) => {
    const support = await registerStaff(app, clock, 'support');
    const session = await takeSeat(app, ada);
    const acting = { 'X-Organization-Id': ada.organizationId };
    expect((await release(app, support.accessToken, session, acting)).status).toBe(200);
    expect((await release(app, support.accessToken, session, acting)).status).toBe(200);
    expect(await entriesOf(app, ada)).toMatchObject([
      {
        actor: { type: 'staff', id: support.userId, email: support.email },
        target: { type: 'session', id: session },
        before: { status: 'active' },
        after: { status: 'released' },
      },
    ]);
  });

  it('is recorded for an operator token, even with an Idempotency-Key', async ({ app, ada }) => {
    const { token } = await makeOperatorToken(app, null, 'support');
    const session = await takeSeat(app, ada);
    const headers = { 'X-Organization-Id': ada.organizationId, 'Idempotency-Key': 'free-1' };
    for (let time = 0; time < 2; time += 1) {
      expect((await release(app, token, session, headers)).status).toBe(200);
    }
    expect(await entriesOf(app, ada)).toMatchObject([{ actor: { type: 'operator_token' }, target: { id: session } }]);
  });

  it('is not recorded if the release is refused', async ({ app, ada, admin }) => {
    const { token } = await makeOperatorToken(app, null, 'support');
    const foreign = await takeSeat(app, admin);
    const refused = await release(app, token, foreign, { 'X-Organization-Id': ada.organizationId });
    expect(refused.body.error.code).toBe('not_found');
    expect(await entriesOf(app, ada)).toEqual([]);
  });
});

it('a seat released by its own user has a session and an event, and no audit entry', async ({ app, ada }) => {
  expect((await release(app, ada.accessToken, await takeSeat(app, ada))).status).toBe(200);
  expect(await entriesOf(app, ada)).toEqual([]);
});
