import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { it } from '../../../test/harness/fixtures.ts';
import type { Member, TestApp } from '../../../test/harness/index.ts';
import { joinOrganization } from '../../../test/harness/join-organization.ts';

const DAY = 86_400;

/** Has Ada take a seat and `end` end it. Returns its record and the last event about it. */
async function endSeat(app: TestApp, ada: Member, body: object, end: (sessionId: string) => Promise<unknown>) {
  const license = await app.issueLicense(ada.organizationId, { policy: { max_offline_seconds: DAY } });
  const hardware_id = `hw_${randomBytes(16).toString('hex')}`;
  const seat = { license_key: license.key, hardware_id, ...body };
  const { session_id: sessionId } = (await app.api.post('/v1/licenses/acquire', ada.accessToken, seat)).body.data;
  await end(sessionId);
  const [record] = (await app.api.get(`/v1/licenses/${license.id}/sessions`, ada.accessToken)).body.data;
  const [event] = (await app.api.get('/v1/events', ada.accessToken)).body.data;
  return { record, event };
}

const release = (app: TestApp, by: Member, organizationId: string, sessionId: string) =>
  app.api.post(
    '/v1/licenses/release',
    by.accessToken,
    { session_id: sessionId },
    { 'x-organization-id': organizationId },
  );

/** The record's details about the user and their machine are for authorized readers, not for webhook receivers. */
const PERSONAL_FIELDS = ['user', 'hostname', 'client_version', 'metadata'];
const publicFieldsOf = (record: object) =>
  Object.fromEntries(Object.entries(record).filter(([field]) => !PERSONAL_FIELDS.includes(field)));

it.for(['its user', 'an admin'] as const)(
  'license.seat.released reports the end of the session like its record when %s released it',
  async (who, { app, ada }) => {
    const admin = await joinOrganization(app, ada, 'admin');
    const by = who === 'its user' ? ada : admin;
    for (const more of [{}, { offline_seconds: DAY }]) {
      const body = { metadata: { hostname: 'workstation' }, ...more };
      const { record, event } = await endSeat(app, ada, body, (id) => release(app, by, ada.organizationId, id));
      expect(event.type).toBe('license.seat.released');
      expect(event.data.object).toMatchObject(publicFieldsOf(record));
      expect(record).toMatchObject({
        status: 'released',
        released_by: by.userId,
        ended_at: event.data.object.released_at,
      });
      expect(record.offline_until === null).toBe(!('offline_seconds' in body));
      expect(JSON.stringify(event)).not.toContain('workstation');
    }
  },
);

it('license.seat.timeout reports the end of the session like its record', async ({ app, ada }) => {
  for (const body of [{ metadata: { hostname: 'workstation' } }, { offline_seconds: 3_600 }]) {
    const { record, event } = await endSeat(app, ada, body, async () => {
      await app.moveClock(ada.organizationId, DAY + 1);
      await app.runJob('licensing.reap-silent-seats');
    });
    expect(event.type).toBe('license.seat.timeout');
    expect(event.data.object).toMatchObject(publicFieldsOf(record));
    expect(record).toMatchObject({ status: 'timed_out', released_by: null, ended_at: event.data.object.timeout_at });
    expect(JSON.stringify(event)).not.toContain('workstation');
  }
});
