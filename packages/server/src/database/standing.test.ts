import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cloneDatabase } from '../../test/harness/clone-database.ts';
import { Database, GENERATION, many, type Queries, Standing, updateServiceClock } from './index.ts';

const CONNECTIONS = { connections: 2, maxWaiting: 20, patienceMs: 600_000 };

let url: string;
let other: Database;

beforeAll(async () => {
  url = await cloneDatabase();
  other = new Database(url, CONNECTIONS, () => undefined);
  await ask(other, 'create table kept (n int)');
});
afterAll(() => other.close());

const ask = <Row>(database: Database, text: string, values: unknown[] = []) =>
  many<Row>().from(database.execute({ name: '', text }, values));

/** Like one from `statement`, but unknown to the tools, which check every statement against the schema. */
const insertKept = async (queries: Queries) => {
  await queries.execute({ name: '', text: 'insert into kept (n) values (1)', isHeldBack: true }, []);
};

/** A process with a clock that the test moves. */
function createProcess() {
  const process = { nowMs: 10_000, told: [] as string[] };
  const standing = new Standing({ onOutdated: (reason) => process.told.push(reason), now: () => process.nowMs });
  const database = new Database(url, { ...CONNECTIONS, standing }, () => undefined);
  return Object.assign(process, { standing, database, beat: () => standing.beat(() => updateServiceClock(database)) });
}

const admitFrom = (generation: number) =>
  ask(other, 'update service_clock set oldest_generation = $1::int', [generation]);
const countKept = async () => (await ask<{ n: number }>(other, 'select count(*)::int as n from kept'))[0]?.n;

describe('a process whose generation the database no longer admits', () => {
  it('stops using it at its next heartbeat, reports this once, and continues if it is admitted again', async () => {
    const process = createProcess();
    await process.beat();
    await insertKept(process.database);
    const before = await countKept();
    await admitFrom(GENERATION + 1);
    await process.beat();
    await expect(insertKept(process.database)).rejects.toThrow(/too old for the database.*start the newer version/);
    await expect(process.database.transaction((tx) => insertKept(tx))).rejects.toThrow(/too old for the database/);
    expect(process.standing.whyNotReady()).toMatch(/too old for the database/);
    expect(await countKept()).toBe(before);
    expect(process.told).toHaveLength(1);
    await admitFrom(GENERATION);
    process.nowMs += 2_001;
    await insertKept(process.database);
    expect(process.standing.whyNotReady()).toBeUndefined();
    expect(await countKept()).toBe((before ?? 0) + 1);
    await process.database.close();
  });

  it('does not continue with what it knew before it was frozen', async () => {
    const process = createProcess();
    await process.beat();
    await admitFrom(GENERATION + 1);
    process.nowMs += 2_001;
    await expect(insertKept(process.database)).rejects.toThrow(/too old for the database/);
    await admitFrom(GENERATION);
    await process.database.close();
  });
});

describe('a process whose heartbeats do not get through', () => {
  it('refuses writes after four seconds, still reads, and writes again after the first heartbeat that arrives', async () => {
    const process = createProcess();
    await process.beat();
    const hanging = Promise.withResolvers<{ oldestGeneration: number }>();
    const beat = process.standing.beat(() => hanging.promise);
    process.nowMs += 4_000;
    expect(process.standing.whyNotReady()).toBeUndefined();
    process.nowMs += 1;
    expect(process.standing.whyNotReady()).toBe('writes do not finish');
    await expect(insertKept(process.database)).rejects.toThrow(/writes do not finish/);
    await expect(process.database.transaction((tx) => insertKept(tx))).rejects.toThrow(/writes do not finish/);
    expect(await ask(process.database, 'select 1 as one')).toEqual([{ one: 1 }]);
    hanging.resolve({ oldestGeneration: 1 });
    await beat;
    await insertKept(process.database);
    expect(process.standing.whyNotReady()).toBeUndefined();
    await process.database.close();
  });

  it('counts from the first of several failed heartbeats', async () => {
    const process = createProcess();
    const fail = () => process.standing.beat(() => Promise.reject(new Error('away'))).catch(() => undefined);
    await fail();
    process.nowMs += 4_001;
    await fail();
    expect(process.standing.whyNotReady()).toBe('writes do not finish');
    await process.beat();
    expect(process.standing.whyNotReady()).toBeUndefined();
    await process.database.close();
  });
});
