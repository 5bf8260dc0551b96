import pg from 'pg';
import { describe, expect, onTestFinished } from 'vitest';
import { ApiBrowser } from '../../../test/harness/api-browser.ts';
import { openStream } from '../../../test/harness/event-stream.ts';
import { createTest } from '../../../test/harness/fixtures.ts';
import { execute, type Member, startAppForTest, type TestApp } from '../../../test/harness/index.ts';
import { joinOrganization } from '../../../test/harness/join-organization.ts';
import { Database } from '../../database/index.ts';
import { newId } from '../../ids/index.ts';

/** Some tests write events directly to the database. */
const it = createTest({ hasInventedEvents: true });

const authorize = ({ accessToken }: Member) => ({ authorization: `Bearer ${accessToken}` });
const stream = (app: TestApp, member: Member, headers: Readonly<Record<string, string>> = {}, query = '') =>
  openStream(app.api, { ...authorize(member), ...headers }, query);

/** Invites an address, which creates an event. */
const createEvent = async (app: TestApp, { organizationId, accessToken }: Member) => {
  const email = `${newId('user')}@example.com`;
  const path = `/v1/orgs/${organizationId}/invitations`;
  expect((await app.api.post(path, accessToken, { email, role: 'member' })).status).toBe(201);
  return email;
};

const INSERT = `insert into events (organization_id, id, type, created, object) values ($1, $2, $3, clock_timestamp(), '{}')`;
const write = (app: TestApp, { organizationId }: Member, id = newId('event'), type = 'invented') =>
  execute(app.database, INSERT, [organizationId, id, type]).then(() => id);

/** A transaction that has written an event and commits on request. */
const beginWriting = async (app: TestApp, { organizationId }: Member, id = newId('event')) => {
  const client = new pg.Client(app.databaseUrl);
  await client.connect();
  onTestFinished(() => client.end().catch(() => undefined));
  await client.query('begin');
  await client.query(INSERT, [organizationId, id, 'late']);
  return { id, commit: () => client.query('commit') };
};

describe('GET /v1/events/stream', () => {
  it('sends events as GET /v1/events/{event_id} shows them, and none from before', async ({ app, ada }) => {
    await createEvent(app, ada);
    const { response, events } = await stream(app, ada);
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(response.headers.get('cache-control')).toBe('no-store');
    const email = await createEvent(app, ada);
    await expect.poll(() => events).toHaveLength(1);
    const [event] = events;
    expect(event?.event).toBe('org.member.invited');
    expect(event?.data.data.object.email).toBe(email);
    const shown = await app.api.get(`/v1/events/${event?.id}`, ada.accessToken);
    expect(event?.data).toEqual(shown.body.data);
  });

  it('sends a burst of thousands of events to a client that reads them, without ending', async ({ app, ada }) => {
    const { events } = await stream(app, ada);
    const ids = Array.from({ length: 3_000 }, () => newId('event'));
    const burst = `insert into events (organization_id, id, type, created, object)
      select $1, unnest($2::text[]), 'invented', clock_timestamp(), '{}'`;
    await execute(app.database, burst, [ada.organizationId, ids]);
    await expect.poll(() => events.length).toBe(ids.length);
    expect(events.map((each) => each.id).sort()).toEqual(ids.sort());
  });

  it('sends only events of one type, and none of another organization', async ({ app, admin, ada }) => {
    const invited = await stream(app, ada, {}, '?type=org.member.invited');
    const removed = await stream(app, ada, {}, '?type=org.member.removed');
    await createEvent(app, admin);
    await createEvent(app, ada);
    const grace = await joinOrganization(app, ada, 'member');
    const path = `/v1/orgs/${ada.organizationId}/members/${grace.userId}`;
    await app.api.call('DELETE', path, { token: ada.accessToken });
    await expect.poll(() => removed.events.map((each) => each.event)).toEqual(['org.member.removed']);
    expect(invited.events.map((each) => each.event)).toEqual(['org.member.invited', 'org.member.invited']);
    expect(invited.events.every((each) => each.data.organization_id === ada.organizationId)).toBe(true);
  });

  it('400: an unknown type or parameter, and an invalid Last-Event-ID', async ({ app, ada }) => {
    const fieldOf = async (query: string, headers: Record<string, string> = {}) =>
      (await app.api.get(`/v1/events/stream${query}`, ada.accessToken, headers)).body.error.details;
    expect(await fieldOf('?type=nothing.happened')).toEqual({ field: 'type', reason: 'enum' });
    expect(await fieldOf('?kind=x')).toEqual({ field: 'kind', reason: 'unknown' });
    const malformed = { 'last-event-id': "evt_'--" };
    expect(await fieldOf('', malformed)).toEqual({ field: 'Last-Event-ID', reason: 'format' });
  });

  it('works with the cookie of a browser session', async ({ app, ada }) => {
    const browser = new ApiBrowser();
    await browser.logIn(app.api, ada);
    const cookie = `__Host-seathold=${browser.cookie}`;
    const { response, events } = await openStream(app.api, { cookie, 'sec-fetch-site': 'same-origin' });
    expect(response.status).toBe(200);
    await createEvent(app, ada);
    await expect.poll(() => events).toHaveLength(1);
    expect((await openStream(app.api, { cookie, 'sec-fetch-site': 'same-site' })).response.status).toBe(401);
  });
});

describe('a client that reconnects with Last-Event-ID', () => {
  it('gets everything since then once, and then new events', async ({ app, second, ada }) => {
    const first = await stream(app, ada);
    for (let n = 0; n < 3; n += 1) {
      await createEvent(app, ada);
    }
    await expect.poll(() => first.events).toHaveLength(3);
    first.close();
    const missed = [await createEvent(app, ada), await createEvent(app, ada)];
    const received = new Set(first.events.map((each) => each.id));
    const lastId = first.events[2]?.id ?? '';
    for (const process of [app, second]) {
      const again = await stream(process, ada, { 'last-event-id': lastId });
      // Earlier events may come again: another transaction may have been open when the last one was written.
      const newEvents = () => again.events.filter((each) => !received.has(each.id));
      missed.push(await createEvent(app, ada));
      await expect.poll(() => newEvents().length).toBeGreaterThanOrEqual(missed.length);
      expect(newEvents().map((each) => each.data.data.object.email)).toEqual(missed);
    }
  });

  it('gets a long history, page after page', async ({ app, ada }) => {
    const ids = [];
    for (let n = 0; n < 450; n += 1) {
      ids.push(await write(app, ada));
    }
    const { events } = await stream(app, ada, { 'last-event-id': ids[0] ?? '' });
    await expect.poll(() => events.length).toBeGreaterThanOrEqual(449);
    expect(events.map((each) => each.id)).toEqual(ids.slice(1));
  });

  it('gets events that became visible after its last one, although their ID is older', async ({ app, ada }) => {
    const late = await beginWriting(app, ada);
    const lastId = await write(app, ada);
    const rolledBack = await beginWriting(app, ada);
    await late.commit();
    const again = await stream(app, ada, { 'last-event-id': lastId });
    await expect.poll(() => again.events.map((each) => each.id)).toEqual([late.id]);
    expect(again.events.map((each) => each.id)).not.toContain(rolledBack.id);
  });
});

describe('events whose transactions commit late', () => {
  it('reach a stream that has sent later ones, however long they took', async ({ app, ada }) => {
    const before = await beginWriting(app, ada);
    const { events } = await stream(app, ada);
    const during = await beginWriting(app, ada);
    const prompt = await write(app, ada);
    await expect.poll(() => events.map((each) => each.id)).toEqual([prompt]);
    // Several looks at the database later.
    for (let n = 0; n < 4; n += 1) {
      const id = await write(app, ada);
      await expect.poll(() => events.at(-1)?.id).toBe(id);
    }
    await during.commit();
    await expect.poll(() => events.at(-1)?.id).toBe(during.id);
    await before.commit();
    await expect.poll(() => events.at(-1)?.id).toBe(before.id);
    expect(new Set(events.map((each) => each.id)).size).toBe(events.length);
  });

  it('are all sent, exactly once, while many transactions overlap at random', async ({ app, ada }) => {
    const { events } = await stream(app, ada);
    const written: string[] = [];
    await Promise.all(
      Array.from({ length: 8 }, async (_, writer) => {
        const client = new pg.Client(app.databaseUrl);
        await client.connect();
        for (let n = 0; n < 25; n += 1) {
          const id = newId('event');
          await client.query('begin');
          await client.query(INSERT, [ada.organizationId, id, 'invented']);
          await client.query(`select pg_sleep(random() * ${writer === 0 ? 0.4 : 0.05})`);
          await client.query(n % 5 === 4 ? 'rollback' : 'commit');
          if (n % 5 !== 4) {
            written.push(id);
          }
        }
        await client.end();
      }),
    );
    await expect.poll(() => events.length).toBeGreaterThanOrEqual(written.length);
    expect(events.map((each) => each.id).toSorted()).toEqual(written.toSorted());
  });
});

describe('a stream ends', () => {
  it.for([
    ['a logout', (app: TestApp, grace: Member) => app.api.post('/v1/auth/logout', grace.accessToken, undefined)],
    [
      'the loss of the role',
      (app: TestApp, grace: Member, { organizationId, accessToken: token }: Member) =>
        app.api.call('PATCH', `/v1/orgs/${organizationId}/members/${grace.userId}`, {
          token,
          body: { role: 'member' },
        }),
    ],
    [
      'the loss of the membership',
      (app: TestApp, grace: Member, { organizationId, accessToken: token }: Member) =>
        app.api.call('DELETE', `/v1/orgs/${organizationId}/members/${grace.userId}`, { token }),
    ],
  ] as const)('within seconds of %s, and no other does', async ([, lose], { app, ada }) => {
    const grace = await joinOrganization(app, ada, 'admin');
    const inOrganization = { 'x-organization-id': ada.organizationId };
    const [hers, other] = [await stream(app, grace, inOrganization), await stream(app, ada)];
    expect(hers.response.status).toBe(200);
    expect((await lose(app, grace, ada)).status).toBeLessThan(300);
    await expect.poll(hers.hasEnded).toBe(true);
    expect(other.hasEnded()).toBe(false);
  });

  it('when the process stops, and none can start then', async () => {
    const stopping = new AbortController();
    const app = await startAppForTest({ stopping: stopping.signal });
    const ada = await app.register();
    const { hasEnded } = await stream(app, ada);
    stopping.abort();
    await expect.poll(hasEnded).toBe(true);
    expect((await app.api.get('/v1/events/stream', ada.accessToken)).status).toBe(503);
  });
});

describe('the number of streams', () => {
  it('is at most 20 per user; each closed one frees a slot, and HEAD takes none', async ({ app, ada }) => {
    for (let n = 0; n < 30; n += 1) {
      expect((await app.api.call('HEAD', '/v1/events/stream', { token: ada.accessToken })).status).toBe(200);
    }
    const open = await Promise.all(Array.from({ length: 20 }, () => stream(app, ada)));
    expect(open.map(({ response }) => response.status)).toEqual(Array(20).fill(200));
    const refused = await app.api.get('/v1/events/stream', ada.accessToken);
    expect([refused.status, refused.body.error.code, refused.body.error.details.limit]).toEqual([
      429,
      'rate_limit_exceeded',
      20,
    ]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    open[0]?.close();
    await expect
      .poll(async () => {
        const next = await stream(app, ada);
        return next.response.status;
      })
      .toBe(200);
  });
});

describe('while no stream is open,', () => {
  /** Counts the queries for new events. */
  class WatchedDatabase extends Database {
    looks = 0;

    override execute(...given: Parameters<Database['execute']>) {
      this.looks += Number(given[0].name === 'find_unfinished_transactions');
      return super.execute(...given);
    }
  }
  const startWatched = async () => {
    const databases: WatchedDatabase[] = [];
    const openDatabase = (...given: ConstructorParameters<typeof Database>) => {
      const database = new WatchedDatabase(...given);
      databases.push(database);
      return database;
    };
    const app = await startAppForTest({ openDatabase });
    return { app, ada: await app.register(), looks: () => databases[0]?.looks ?? 0 };
  };

  it('the database is not queried for new events', async () => {
    const [quiet, busy] = [await startWatched(), await startWatched()];
    const closed = await stream(quiet.app, quiet.ada);
    await stream(busy.app, busy.ada);
    await expect.poll(quiet.looks).toBeGreaterThan(2);
    closed.close();
    await expect.poll(closed.hasEnded).toBe(true);
    const atEnd = [quiet.looks(), busy.looks()] as const;
    await expect.poll(busy.looks).toBeGreaterThan(atEnd[1] + 6);
    // The one in progress, and one that started before the server noticed the end.
    expect(quiet.looks()).toBeLessThanOrEqual(atEnd[0] + 2);
  });
});
