import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { newId } from '../../server/src/ids/index.ts';
import { createTest } from '../../server/test/harness/fixtures.ts';
import type { TestApp } from '../../server/test/harness/index.ts';
import { Seathold } from '../src/index.ts';
import { BASE_URL, fetchAt } from './flaky-server.ts';
import { pollEvents } from './poll-events.ts';

const SECOND_MS = 1_000;

interface State {
  since: Date;
  seen: ReadonlyMap<string, number>;
}
const it = createTest({ hasInventedEvents: true });

it('the guide shows the code that these tests run', async () => {
  const [guide, tested] = await Promise.all([
    readFile(join(import.meta.dirname, '../../../docs/how-to/client.md'), 'utf8'),
    readFile(join(import.meta.dirname, 'poll-events.ts'), 'utf8'),
  ]);
  const [, code] = /^```ts\n(.*?)^```$/ms.exec(guide.split('## Follow events')[1] ?? '') ?? [];
  expect(tested.replace(/^import .*\n\n/, '')).toBe(code);
});

const INSERT_EVENT = {
  name: 'test_insert_event',
  text: `insert into events (organization_id, id, type, created, object)
    values ($1, $2, 'license.seat.acquired', to_timestamp($3::float8 / 1000), '{}')`,
};

it("the guide's code handles each event once, including one that was committed after newer ones", async ({
  app,
  ada,
}) => {
  const seathold = new Seathold({ token: ada.accessToken, baseUrl: BASE_URL, fetch: fetchAt(app.api.baseUrl) });
  const startMs = Date.now();
  const insert = async (atMs: number, on: Pick<TestApp['database'], 'execute'> = app.database) => {
    const id = newId('event');
    await on.execute(INSERT_EVENT, [ada.organizationId, id, atMs]);
    return id;
  };
  let state: State = { since: new Date(startMs - SECOND_MS), seen: new Map() };
  const poll = async () => {
    const handled: string[] = [];
    state = await pollEvents(seathold, state, async ({ id }) => void handled.push(id));
    return handled;
  };

  const early = await insert(startMs);
  expect(await poll()).toEqual([early]);
  const held = await app.database.transaction(async (tx) => {
    const id = await insert(startMs + SECOND_MS, tx);
    const later = [await insert(startMs + 2 * SECOND_MS), await insert(startMs + 58 * SECOND_MS)];
    expect(await poll()).toEqual(later);
    expect(await poll()).toEqual([]);
    return id;
  });
  expect(await poll()).toEqual([held]);
  expect(await poll()).toEqual([]);
  // A poller that continues from the newest event never sees it.
  const newest = new Date(startMs + 58 * SECOND_MS).toISOString();
  expect((await seathold.events.list({ created_after: newest })).data).toEqual([]);

  const next = await insert(startMs + 200 * SECOND_MS);
  expect(await poll()).toEqual([next]);
  expect(state.seen.size).toBe(1);
  expect(await poll()).toEqual([]);
});

it('created_after excludes its own millisecond', async ({ app, ada }) => {
  const seathold = new Seathold({ token: ada.accessToken, baseUrl: BASE_URL, fetch: fetchAt(app.api.baseUrl) });
  const atMs = Date.now();
  const id = newId('event');
  await app.database.execute(INSERT_EVENT, [ada.organizationId, id, atMs]);
  const after = async (ms: number) =>
    (await seathold.events.list({ created_after: new Date(ms).toISOString() })).data.map((event) => event.id);
  expect(await after(atMs)).toEqual([]);
  expect(await after(atMs - 1)).toEqual([id]);
});
