import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSilentLicenseTools } from '../../../test/harness/create-silent-license-tools.ts';
import { type Member, startTestApp, type TestApp } from '../../../test/harness/index.ts';
import { joinOrganization } from '../../../test/harness/join-organization.ts';
import { findPlanFaults } from '../../../test/plans/judge-plan.ts';
import { StatementRecorder } from '../../../test/plans/record-statements.ts';
import { measureStatement } from '../../../test/retention/measure-statement.ts';
import { changeLicense } from '../index.ts';

let test: TestApp;
let ada: Member;
let grace: Member;
/** Grace, acting in Ada's organization. */
const asGrace = () => ({ token: grace.accessToken, headers: { 'x-organization-id': ada.organizationId } });

beforeAll(async () => {
  test = await startTestApp();
  ada = await test.register('Ada Lovelace');
  grace = await joinOrganization(test, ada, 'member', 'Grace Hopper');
});
afterAll(() => test.close());

const machine = () => `hw_${randomBytes(16).toString('hex')}`;
const acquire = async (key: string, metadata?: object, options: object = { token: ada.accessToken }) => {
  const body = { license_key: key, hardware_id: machine(), ...(metadata === undefined ? {} : { metadata }) };
  const answer = await test.api.call('POST', '/v1/licenses/acquire', { ...options, body });
  expect(answer.status).toBe(201);
  return answer.body.data.session_id as string;
};
const get = async (path: string, options: object = { token: ada.accessToken }) => {
  const answer = await test.api.call('GET', path, options);
  expect(answer.status).toBe(200);
  return answer.body;
};
const seatsOf = async (id: string, query = '') => (await get(`/v1/licenses/${id}/seats${query}`)).data;
const issue = (terms: object = {}) => test.issueLicense(ada.organizationId, terms);

describe('the seat map', () => {
  it('shows every seat in order, with the session that holds it', async () => {
    const license = await issue();
    const first = await acquire(license.key, { hostname: 'engine', client_version: '1.2.3' });
    const second = await acquire(license.key, undefined, asGrace());
    expect(await seatsOf(license.id)).toEqual([
      {
        slot: 1,
        session: expect.objectContaining({
          id: first,
          user_id: ada.userId,
          user: { id: ada.userId, name: 'Ada Lovelace', email: ada.email },
          hostname: 'engine',
          client_version: '1.2.3',
        }),
      },
      {
        slot: 2,
        session: expect.objectContaining({
          id: second,
          user: { id: grace.userId, name: 'Grace Hopper', email: grace.email },
          hostname: null,
          client_version: null,
        }),
      },
      { slot: 3, session: null },
    ]);
  });

  it('pages through the seats in both orders', async () => {
    const license = await issue({ maxSeats: 5 });
    for (const [sort, expected] of [
      ['slot', [1, 2, 3, 4, 5]],
      ['-slot', [5, 4, 3, 2, 1]],
    ] as const) {
      const slots: number[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page = await get(
          `/v1/licenses/${license.id}/seats?limit=2&sort=${sort}${cursor === '' ? '' : `&cursor=${cursor}`}`,
        );
        slots.push(...page.data.map((seat: { slot: number }) => seat.slot));
        cursor = page.pagination.next_cursor;
      }
      expect(slots).toEqual(expected);
    }
  });

  it('shows the seat of a session past its timeout as free before the reaper has run', async () => {
    const license = await issue({ maxSeats: 1 });
    await acquire(license.key);
    await test.moveClock(ada.organizationId, 200);
    expect(await seatsOf(license.id)).toEqual([{ slot: 1, session: null }]);
  });

  it('ends at max_seats if the license has shrunk below its sessions', async () => {
    const license = await issue({ maxSeats: 3 });
    for (let seats = 0; seats < 3; seats += 1) {
      await acquire(license.key);
    }
    await changeLicense(createSilentLicenseTools(test.database), license.id, { kind: 'resize', maxSeats: 2 });
    const slots = (await seatsOf(license.id)).map(({ slot }: { slot: number }) => slot);
    expect(slots).toEqual([1, 2]);
  });

  it("returns not_found for another organization's license", async () => {
    const bob = await test.register('Bob');
    const license = await issue();
    const answer = await test.api.get(`/v1/licenses/${license.id}/seats`, bob.accessToken);
    expect(answer.body.error.code).toBe('not_found');
  });

  it('reads no more than a page of 100,000 seats, anywhere on the map', async () => {
    const license = await issue({ maxSeats: 100_000 });
    const client = new pg.Client({ connectionString: test.databaseUrl });
    await client.connect();
    await client.query('analyze seat_slots, licenses, license_seat_counts');
    const recorder = new StatementRecorder();
    const page = (query: string) =>
      recorder.during(query, () => get(`/v1/licenses/${license.id}/seats?limit=100&${query}`));
    for (const sort of ['slot', '-slot']) {
      const { next_cursor: cursor } = (await page(`sort=${sort}`)).pagination;
      await page(`sort=${sort}&cursor=${cursor}`);
    }
    recorder.stop();
    const statements = [...recorder.statements.values()].filter(({ text }) => text.includes('s.slot <='));
    expect(statements).toHaveLength(4);
    for (const statement of statements) {
      const { plan, scanned, fetched } = await measureStatement(client, statement, 'custom');
      expect(findPlanFaults(plan, (table) => (table === 'seat_slots' ? 100_000 : 1), 200)).toEqual([]);
      expect((scanned.get('seat_slots') ?? 0) + (fetched.get('seat_slots') ?? 0)).toBeLessThanOrEqual(202);
    }
    await client.end();
  });
});

describe('the names of seat holders', () => {
  it('are shown only to admins, in the license and its sessions', async () => {
    const license = await issue();
    await acquire(license.key, { hostname: 'engine' });
    for (const place of ['', '/sessions', '/seats']) {
      const asAdmin = await get(`/v1/licenses/${license.id}${place}`);
      const asMember = await get(`/v1/licenses/${license.id}${place}`, asGrace());
      const userOf = ({ data }: { data: unknown }) => JSON.stringify(data).includes(ada.email);
      expect([place, userOf(asAdmin), userOf(asMember)]).toEqual([place, true, false]);
      expect(JSON.stringify(asMember.data)).toContain('"hostname":"engine"');
    }
  });

  it('disappear when the user leaves the organization, whatever name they use later', async () => {
    const license = await issue();
    const leaver = await joinOrganization(test, ada, 'member', 'Linus Leaver');
    await acquire(license.key, undefined, {
      token: leaver.accessToken,
      headers: { 'x-organization-id': ada.organizationId },
    });
    const path = `/v1/orgs/${ada.organizationId}/members/${leaver.userId}`;
    expect((await test.api.call('DELETE', path, { token: ada.accessToken })).status).toBe(204);
    const [session] = (await get(`/v1/licenses/${license.id}/sessions`)).data;
    expect(session).toMatchObject({ user_id: leaver.userId, user: null });
  });

  it('come from metadata only if it has strings', async () => {
    const license = await issue();
    await acquire(license.key, { hostname: 7, client_version: { major: 1 } });
    const [session] = (await get(`/v1/licenses/${license.id}/sessions`)).data;
    expect(session).toMatchObject({ hostname: null, client_version: null });
  });
});

describe('released_by', () => {
  const release = (id: string, headers = {}, token = ada.accessToken) =>
    test.api.call('POST', '/v1/licenses/release', { token, body: { session_id: id }, headers });
  const endedIn = async (licenseId: string) => (await get(`/v1/licenses/${licenseId}/sessions`)).data;

  it.each([
    ['in one statement', {}],
    ['in the transaction of an Idempotency-Key', { 'idempotency-key': 'a release' }],
  ])('is the admin who released the session of a member %s', async (_how, headers) => {
    const license = await issue();
    const id = await acquire(license.key, undefined, asGrace());
    expect((await release(id, headers)).status).toBe(200);
    expect(await endedIn(license.id)).toEqual([
      expect.objectContaining({ id, user_id: grace.userId, released_by: ada.userId }),
    ]);
  });

  it('is stored for sessions released together in one batch', async () => {
    const license = await issue({ maxSeats: 12 });
    const own: string[] = [];
    const foreign: string[] = [];
    for (let seats = 0; seats < 6; seats += 1) {
      own.push(await acquire(license.key, undefined, asGrace()));
      foreign.push(await acquire(license.key, undefined, asGrace()));
    }
    const { token, headers } = asGrace();
    await Promise.all([...own.map((id) => release(id, headers, token)), ...foreign.map((id) => release(id))]);
    for (const { id, released_by: by } of await endedIn(license.id)) {
      expect(by).toBe(own.includes(id) ? grace.userId : ada.userId);
    }
  });

  it('is null while a session is active, and after it has timed out', async () => {
    const license = await issue();
    await acquire(license.key);
    expect(await endedIn(license.id)).toEqual([expect.objectContaining({ status: 'active', released_by: null })]);
    await test.moveClock(ada.organizationId, 200);
    expect(await endedIn(license.id)).toEqual([expect.objectContaining({ status: 'timed_out', released_by: null })]);
    await test.runJob('licensing.reap-silent-seats');
    expect(await endedIn(license.id)).toEqual([expect.objectContaining({ status: 'timed_out', released_by: null })]);
  });
});
