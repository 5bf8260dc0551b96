import { Type } from 'typebox';
import { describe, expect } from 'vitest';
import { it } from '../../test/harness/fixtures.ts';
import { execute } from '../../test/harness/index.ts';
import type { Queries } from '../database/index.ts';
import { announcement, createOutbox, defineEvent, type Reaction, reactTo } from './index.ts';

const schema = Type.Object({ n: Type.Integer() });
const OPENED = defineEvent({ type: 'test.opened', description: '', schema, example: { n: 1 } });
const CLOSED = defineEvent({ type: 'test.closed', description: '', schema, example: { n: 1 } });
const ORGANIZATION = 'org_of_this_test';
const HOUR_MS = 3_600_000;

let told: string[];
it.beforeEach(async ({ app }) => {
  told = [];
  await execute(app.database, 'delete from events where organization_id = $1', [ORGANIZATION]);
});

const eventsIn = (database: Queries) =>
  execute<{ type: string; object: unknown; ahead_ms: number }>(
    database,
    `select type, object, extract(epoch from created - clock_timestamp())::float8 * 1000 as ahead_ms
      from events where organization_id = $1 order by id`,
    [ORGANIZATION],
  );

const noting = (name: string, definition = OPENED): Reaction =>
  reactTo(definition, async (tx, object, happening) => {
    const seen = await eventsIn(tx);
    told.push(`${name} ${object.n} of ${seen.length} in ${happening.organizationId} +${happening.clockOffsetMs}`);
  });

const announce = (tx: Queries, reactions: readonly Reaction[], announcements = [announcement(OPENED, { n: 1 })]) =>
  createOutbox(reactions).announce(tx, ORGANIZATION, HOUR_MS, announcements);

describe('the outbox', () => {
  it("writes events in the given order, with the organization's time", async ({ app }) => {
    const both = [announcement(OPENED, { n: 1 }), announcement(CLOSED, { n: 2 })];
    await announce(app.database, [], both);
    const written = await eventsIn(app.database);
    expect(written.map(({ type, object }) => [type, object])).toEqual([
      ['test.opened', { n: 1 }],
      ['test.closed', { n: 2 }],
    ]);
    for (const { ahead_ms } of written) {
      expect(ahead_ms).toBeGreaterThan(HOUR_MS - 60_000);
      expect(ahead_ms).toBeLessThanOrEqual(HOUR_MS);
    }
  });

  it('calls the reactions to the type event by event, in the order of the rooms, after all events are written', async ({
    app,
  }) => {
    const events = [announcement(OPENED, { n: 1 }), announcement(CLOSED, { n: 2 }), announcement(OPENED, { n: 3 })];
    const reactions = [noting('first'), noting('of closing', CLOSED), noting('second')];
    await app.database.transaction((tx) => announce(tx, reactions, events));
    const where = `of 3 in ${ORGANIZATION} +${HOUR_MS}`;
    expect(told).toEqual([
      `first 1 ${where}`,
      `second 1 ${where}`,
      `of closing 2 ${where}`,
      `first 3 ${where}`,
      `second 3 ${where}`,
    ]);
  });

  it('accepts reactions until the first announcement, because the rooms are created one after another', async ({
    app,
  }) => {
    const reactions: Reaction[] = [];
    const outbox = createOutbox(reactions);
    reactions.push(noting('late'));
    await outbox.announce(app.database, ORGANIZATION, 0, [announcement(OPENED, { n: 1 })]);
    expect(told).toHaveLength(1);
  });

  it('rolls back the events together with their reactions', async ({ app }) => {
    const writing = reactTo(OPENED, async (tx) => {
      await tx.execute({ name: 'test_reaction', text: INSERT_ANOTHER_EVENT }, [ORGANIZATION]);
    });
    const failing = reactTo(OPENED, () => Promise.reject(new Error('a room refuses')));
    const undone = app.database.transaction((tx) => announce(tx, [writing, failing]));
    await expect(undone).rejects.toThrow('a room refuses');
    const later = app.database.transaction(async (tx) => {
      await announce(tx, [writing]);
      expect(await eventsIn(tx)).toHaveLength(2);
      throw new Error('the use case refuses');
    });
    await expect(later).rejects.toThrow('the use case refuses');
    expect(await eventsIn(app.database)).toEqual([]);
    await app.database.transaction((tx) => announce(tx, [writing]));
    expect(await eventsIn(app.database)).toHaveLength(2);
  });

  it('does nothing when there is nothing to announce', async ({ app }) => {
    await announce(app.database, [noting('first')], []);
    expect([told, await eventsIn(app.database)]).toEqual([[], []]);
  });
});

const INSERT_ANOTHER_EVENT = `insert into events (organization_id, id, type, created, object)
  values ($1, 'evt_of_the_reaction', 'test.reacted', clock_timestamp(), '{}')`;
