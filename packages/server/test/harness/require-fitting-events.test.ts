import { Type } from 'typebox';
import { describe, expect } from 'vitest';
import { defineEvent } from '../../src/events/index.ts';
import { newId } from '../../src/ids/index.ts';
import { it } from './/fixtures.ts';
import { execute, startTestApp, type TestApp } from './index.ts';
import { requireFittingEvents } from './require-fitting-events.ts';

it.afterAll(async ({ app }) => {
  await execute(app.database, 'delete from events');
});
it.beforeEach(({ app }) => execute(app.database, 'delete from events'));

const schema = Type.Object({ n: Type.Integer(), at: Type.String({ format: 'date-time' }) });
const example = { n: 1, at: '2026-01-31T12:00:00.000Z' };
const CATALOGUE = [
  defineEvent({ type: 'test.known', description: '', schema, example }),
  defineEvent({ type: 'test.planned', description: '', schema, example, isPlanned: true }),
];

const plant = (app: TestApp, type: string, object: unknown, organizationId = newId('organization')) =>
  execute(
    app.database,
    `insert into events (organization_id, id, type, created, object) values ($1, $2, $3, clock_timestamp(), $4)`,
    [organizationId, newId('event'), type, JSON.stringify(object)],
  );
const check = (app: TestApp) => requireFittingEvents(app.database, CATALOGUE);

describe('the check of written events', () => {
  it('accepts an event that matches its schema, and the absence of events', async ({ app }) => {
    await check(app);
    await plant(app, 'test.known', example);
    await check(app);
  });

  it.for([
    ['a type that is not in the catalogue', 'test.unknown', example, 'no such type'],
    ['a type that is only planned', 'test.planned', example, 'planned'],
    ['a member of another type', 'test.known', { ...example, n: 'one' }, 'integer'],
    ['a missing member', 'test.known', { n: 1 }, 'at'],
    ['an invalid time', 'test.known', { ...example, at: 'yesterday' }, 'date-time'],
  ] as const)('complains about %s', async ([_what, type, object, message], { app }) => {
    await plant(app, type, object);
    await expect(check(app)).rejects.toThrow(message);
  });

  it('finds a single event of its type behind thousands of another type', async ({ app }) => {
    await plant(app, 'test.unknown', example);
    await execute(
      app.database,
      `insert into events (organization_id, id, type, created, object)
        select $1, 'evt_' || n, 'test.known', clock_timestamp(), $2 from generate_series(1, 3000) n`,
      [newId('organization'), JSON.stringify(example)],
    );
    await expect(check(app)).rejects.toThrow('no such type');
  });

  it('ignores invented events of an organization that cannot exist', async ({ app }) => {
    await plant(app, 'test.unknown', {}, 'org_of_this_test');
    await check(app);
  });

  it('runs whenever a test app closes, unless the app was opened for invented events', async ({ app }) => {
    const plain = await startTestApp({ beside: app });
    const excused = await startTestApp({ beside: app, hasInventedEvents: true });
    await plant(app, 'test.unknown', {});
    await expect(plain.close()).rejects.toThrow('no such type');
    await excused.close();
  });
});
