import { Type } from 'typebox';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { defineEvent } from '../../src/events/index.ts';
import { newId } from '../../src/ids/index.ts';
import { execute, openTestApp, type TestApp } from './index.ts';
import { requireFittingEvents } from './require-fitting-events.ts';

let test: TestApp;
beforeAll(async () => {
  test = await openTestApp();
});
beforeEach(() => execute(test.database, 'delete from events'));
afterAll(async () => {
  await execute(test.database, 'delete from events');
  await test.close();
});

const schema = Type.Object({ n: Type.Integer(), at: Type.String({ format: 'date-time' }) });
const example = { n: 1, at: '2026-01-31T12:00:00.000Z' };
const CATALOGUE = [
  defineEvent({ type: 'test.known', description: '', schema, example }),
  defineEvent({ type: 'test.planned', description: '', schema, example, isPlanned: true }),
];

const plant = (type: string, object: unknown, organizationId = newId('organization')) =>
  execute(
    test.database,
    `insert into events (organization_id, id, type, created, object) values ($1, $2, $3, clock_timestamp(), $4)`,
    [organizationId, newId('event'), type, JSON.stringify(object)],
  );
const check = () => requireFittingEvents(test.database, CATALOGUE);

describe('the check of written events', () => {
  it('finds nothing to say about an event that fits, nor where there is none', async () => {
    await check();
    await plant('test.known', example);
    await check();
  });

  it.each([
    ['a type that is not in the catalogue', 'test.unknown', example, 'no such type'],
    ['a type that is said to be planned', 'test.planned', example, 'planned'],
    ['a member of another type', 'test.known', { ...example, n: 'one' }, 'integer'],
    ['a missing member', 'test.known', { n: 1 }, 'at'],
    ['a time that is none', 'test.known', { ...example, at: 'yesterday' }, 'date-time'],
  ])('complains of %s', async (_what, type, object, message) => {
    await plant(type, object);
    await expect(check()).rejects.toThrow(message);
  });

  it('finds the one of its type behind thousands of another', async () => {
    await plant('test.unknown', example);
    await execute(
      test.database,
      `insert into events (organization_id, id, type, created, object)
        select $1, 'evt_' || n, 'test.known', clock_timestamp(), $2 from generate_series(1, 3000) n`,
      [newId('organization'), JSON.stringify(example)],
    );
    await expect(check()).rejects.toThrow('no such type');
  });

  it('passes over what a test invents in an organization that cannot exist', async () => {
    await plant('test.unknown', {}, 'org_of_this_test');
    await check();
  });

  it('is made whenever a test app closes, unless the app was opened for invented events', async () => {
    const plain = await openTestApp({ beside: test });
    const excused = await openTestApp({ beside: test, hasInventedEvents: true });
    await plant('test.unknown', {});
    await expect(plain.close()).rejects.toThrow('no such type');
    await excused.close();
  });
});
