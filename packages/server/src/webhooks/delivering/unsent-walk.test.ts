import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execute, startTestApp, type TestApp } from '../../../test/harness/index.ts';
import { newId } from '../../ids/index.ts';
import { UnsentWalk } from './unsent-walk.ts';

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp({ hasInventedEvents: true });
});
afterAll(() => test.close());

/** Waiting events, this many per organization. The organizations' names sort as given. */
async function announce(counts: Readonly<Record<string, number>>): Promise<void> {
  await execute(test.database, 'delete from unsent_events');
  for (const [organization, count] of Object.entries(counts)) {
    await execute(
      test.database,
      `insert into unsent_events (organization_id, event_id, announced_at)
       select $1, e.id, clock_timestamp() from unnest($2::text[]) as e (id)`,
      [organization, Array.from({ length: count }, () => newId('event'))],
    );
  }
}

const organizationsOf = (events: ReadonlyArray<{ organization_id: string }>) =>
  Object.fromEntries([...Map.groupBy(events, (each) => each.organization_id)].map(([id, each]) => [id, each.length]));

describe('a walk through unsent events', () => {
  it('reads all of them if they are few, and reports that nothing is left', async () => {
    await announce({ org_a: 2, org_b: 1 });
    const walk = new UnsentWalk(test.database);
    expect(organizationsOf(await walk.read())).toEqual({ org_a: 2, org_b: 1 });
    expect(walk.hasMore(true)).toBe(false);
  });

  it('fills a batch with one organization only if no other waits', async () => {
    await announce({ org_a: 1_000 });
    const walk = new UnsentWalk(test.database);
    expect(organizationsOf(await walk.read())).toEqual({ org_a: 200 });
    expect(walk.hasMore(true)).toBe(true);
    await announce({ org_a: 1_000, org_z: 3 });
    const { org_z: last } = organizationsOf(await new UnsentWalk(test.database).read());
    expect(last).toBe(3);
  });

  it('reaches every organization, however many have a burst', async () => {
    const names = Array.from({ length: 30 }, (_, number) => `org_${String(number).padStart(2, '0')}`);
    await announce(Object.fromEntries(names.map((name) => [name, 300])));
    const walk = new UnsentWalk(test.database);
    const seen = new Set<string>();
    for (let reads = 0; seen.size < names.length && reads < 10; reads += 1) {
      for (const { organization_id: organization } of await walk.read()) {
        seen.add(organization);
      }
      expect(walk.hasMore(true)).toBe(true);
    }
    expect(seen.size).toBe(names.length);
  });

  it('ends after a round in which nothing could be sent on', async () => {
    await announce({ org_a: 300, org_b: 300, org_c: 300 });
    const walk = new UnsentWalk(test.database);
    let reads = 0;
    do {
      await walk.read();
      reads += 1;
    } while (walk.hasMore(false) && reads < 100);
    expect(reads).toBeLessThan(10);
  });
});
