import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cloneDatabase } from '../../test/harness/clone-database.ts';
import { encryptText, keyIdOf, MasterKey } from '../security/index.ts';
import {
  checkMasterKey,
  Database,
  DatabaseUnavailable,
  GENERATION,
  many,
  migrate,
  OutcomeUnknown,
  serviceTime,
  UnstorableValue,
  updateServiceClock,
} from './index.ts';

let database: Database;
let url: string;

beforeAll(async () => {
  url = await cloneDatabase();
  database = new Database(url, { connections: 4, maxWaiting: 20, patienceMs: 600_000 }, () => undefined);
});
afterAll(() => database.close());

const ask = <Row>(text: string, values: unknown[] = []) =>
  many<Row>().from(database.execute({ name: '', text }, values));

describe('a transaction', () => {
  it('leaves nothing behind when its body throws', async () => {
    await ask('create table kept (n int)');
    await expect(
      database.transaction(async (tx) => {
        await tx.execute({ name: 'insert_kept', text: 'insert into kept values (1)' }, []);
        throw new Error('changed my mind');
      }),
    ).rejects.toThrow('changed my mind');
    expect(await ask('select n from kept')).toEqual([]);
  });

  it('is run again when PostgreSQL asks for it', async () => {
    await ask('create table pair (id int primary key, n int)');
    await ask('insert into pair values (1, 0), (2, 0)');
    const raise = (first: number, second: number) =>
      database.transaction(async (tx) => {
        for (const id of [first, second]) {
          await tx.execute({ name: 'raise_pair', text: 'update pair set n = n + 1 where id = $1' }, [id]);
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      });
    await Promise.all([raise(1, 2), raise(2, 1)]);
    expect(await ask('select n from pair order by id')).toEqual([{ n: 2 }, { n: 2 }]);
  });

  it('inside another one joins it', async () => {
    const count = () => ask<{ n: number }>('select count(*)::int as n from kept');
    await expect(
      database.transaction(async (tx) => {
        await tx.transaction((inner) =>
          inner.execute({ name: 'insert_kept', text: 'insert into kept values (1)' }, []),
        );
        throw new Error('outer');
      }),
    ).rejects.toThrow('outer');
    expect(await count()).toEqual([{ n: 0 }]);
  });
});

describe('a failure', () => {
  it('differs for an unavailable database and for refused values', async () => {
    const away = new Database('postgres://localhost:1/none', { connections: 1, maxWaiting: 1 }, () => undefined);
    await expect(away.execute({ name: '', text: 'select 1' }, [])).rejects.toBeInstanceOf(DatabaseUnavailable);
    await expect(ask('select $1::text', ['a\0b'])).rejects.toBeInstanceOf(UnstorableValue);
    await expect(ask('select $1::jsonb', ['"\\ud800"'])).rejects.toBeInstanceOf(UnstorableValue);
    await expect(ask('select pg_terminate_backend(pg_backend_pid())')).rejects.toBeInstanceOf(DatabaseUnavailable);
    expect(await ask('select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('tells whether a sent write may have taken effect', async () => {
    const kill = { name: '', text: 'select pg_terminate_backend(pg_backend_pid())' };
    await expect(database.execute(kill, [])).rejects.not.toBeInstanceOf(OutcomeUnknown);
    await expect(database.execute({ ...kill, isHeldBack: true }, [])).rejects.toBeInstanceOf(OutcomeUnknown);
    await expect(database.transaction((tx) => tx.execute(kill, []))).rejects.not.toBeInstanceOf(OutcomeUnknown);
    const lostAtCommit = database.transaction(async (tx) => {
      const { rows } = await tx.execute({ name: '', text: 'select pg_backend_pid() as pid' }, []);
      await ask('select pg_terminate_backend($1)', [Object(rows[0]).pid]);
    });
    await expect(lostAtCommit).rejects.toBeInstanceOf(OutcomeUnknown);
  });

  it('of a database closed to connections is that of an unavailable one', async () => {
    const name = `closed_${randomBytes(6).toString('hex')}`;
    await ask(`create database ${name} allow_connections false`);
    const closed = new URL(url);
    closed.pathname = `/${name}`;
    const away = new Database(closed.href, { connections: 1, maxWaiting: 1 }, () => undefined);
    const refusal = away.execute({ name: '', text: 'select 1' }, []);
    await expect(refusal).rejects.toBeInstanceOf(DatabaseUnavailable);
    await expect(refusal).rejects.toThrow(/: 55000: database ".*" is not currently accepting connections$/);
    await away.close();
  });

  it('is returned immediately if too many already wait for a connection', async () => {
    const results = await Promise.allSettled(Array.from({ length: 40 }, () => ask('select pg_sleep(0.05)')));
    expect(results.filter((each) => each.status === 'rejected').length).toBeGreaterThan(10);
  });
});

describe('migrations', () => {
  it('can be started many times at the same time on an empty database', async () => {
    const name = `m_${randomBytes(6).toString('hex')}`;
    await ask(`create database ${name} template template0`);
    const empty = new URL(url);
    empty.pathname = `/${name}`;
    const results = await Promise.all(Array.from({ length: 4 }, () => migrate(empty.href)));
    const applied = results.flatMap((each) => each.applied);
    expect(new Set(applied).size).toBe(applied.length);
    expect((await migrate(empty.href)).applied).toEqual([]);
  });

  it('leave a database of a newer version unchanged while it admits this one, and refuse a changed file', async () => {
    await ask(`insert into migrations (name, checksum, applied_at) values ('9999-future', 'x', clock_timestamp())`);
    expect((await migrate(url)).applied).toEqual([]);
    await ask('update service_clock set oldest_generation = $1::int', [GENERATION + 1]);
    await expect(migrate(url)).rejects.toThrow(/too old for the database.*start the newer version/);
    await ask('update service_clock set oldest_generation = 1');
    const [gone] = await ask(`delete from migrations where name like '0064%' returning name, checksum, applied_at`);
    await expect(migrate(url)).rejects.toThrow(/9999-future of a newer version, but lacks 0064/);
    await ask('insert into migrations select * from json_populate_record(null::migrations, $1)', [
      JSON.stringify(gone),
    ]);
    await ask(`delete from migrations where name = '9999-future'`);
    await ask(`update migrations set checksum = 'x' where name = '0001-installation'`);
    await expect(migrate(url)).rejects.toThrow(/0001-installation was changed/);
  });
});

describe('the master key check', () => {
  it('accepts the first key and refuses another one', async () => {
    const key = new MasterKey(randomBytes(32));
    await checkMasterKey(database, key);
    await checkMasterKey(database, key);
    await expect(checkMasterKey(database, new MasterKey(randomBytes(32)))).rejects.toThrow(/not the one/);
  });

  it('accepts a key ring that holds the key, and lets the database choose the encryption key', async () => {
    await ask('truncate installation, master_keys');
    const [first, second] = [randomBytes(32), randomBytes(32)];
    await checkMasterKey(database, new MasterKey(first));
    const ring = await checkMasterKey(database, new MasterKey([second, first]));
    expect(ring.activeId).toBe(keyIdOf(first));
    await ask('update master_keys set is_active = false');
    await ask('insert into master_keys (key_id, is_active, created_at) values ($1, true, clock_timestamp())', [
      keyIdOf(second),
    ]);
    expect((await checkMasterKey(database, new MasterKey([first, second]))).activeId).toBe(keyIdOf(second));
    await expect(checkMasterKey(database, new MasterKey(first))).rejects.toThrow(keyIdOf(second));
  });

  it('accepts a database from before ciphertexts named their key, and keeps deriving the same keys', async () => {
    await ask('truncate installation, master_keys');
    const secret = randomBytes(32);
    const before = new MasterKey(secret);
    const keyCheck = encryptText(before.deriveKeyOf(before.activeId, 'key-check'), 'this', 'seathold');
    await ask(`insert into installation (id, key_check, created_at) values ('this', $1, clock_timestamp())`, [
      keyCheck,
    ]);
    const [opened, again] = await Promise.all([checkMasterKey(database, before), checkMasterKey(database, before)]);
    for (const purpose of ['recovery-codes', 'cursors']) {
      expect(opened.deriveKey(purpose)).toEqual(before.deriveKey(purpose));
    }
    expect(opened.deriveKey('something newer')).toEqual(again.deriveKey('something newer'));
    expect(opened.deriveKey('something newer')).not.toEqual(before.deriveKey('something newer'));
  });
});

describe('service time', () => {
  const serviceMs = async () =>
    (
      await ask<{ ms: number }>(
        `select (extract(epoch from ${serviceTime('0')}) * 1000)::float8 as ms from service_clock c`,
      )
    )[0]?.ms ?? 0;
  const pretendAway = (seconds: number) =>
    ask(`update service_clock set alive_at = clock_timestamp() - $1 * interval '1 second'`, [seconds]);

  it('stops while no process reports that the service is alive, and then continues', async () => {
    await updateServiceClock(database);
    const before = await serviceMs();
    const awaySince = performance.now();
    await pretendAway(3600);
    const during = await serviceMs();
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(await serviceMs()).toBe(during);
    await updateServiceClock(database);
    const after = await serviceMs();
    expect(after - during).toBeGreaterThanOrEqual(0);
    expect(after - during).toBeLessThan(2_000 + performance.now() - awaySince);
    expect(before - during).toBeGreaterThan(3_500_000);
  });

  it('continues while heartbeats arrive in time, from any number of processes', async () => {
    await updateServiceClock(database);
    const [away] = await ask<{ away_ms: number }>('select away_ms from service_clock');
    await Promise.all(Array.from({ length: 20 }, () => updateServiceClock(database)));
    expect(await ask('select away_ms from service_clock')).toEqual([away]);
  });
});
