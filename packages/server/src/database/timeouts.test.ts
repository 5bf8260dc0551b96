import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cloneDatabase } from '../../test/harness/clone-database.ts';
import { connectionConfig, MIGRATION_TIMEOUTS, SERVICE_TIMEOUTS } from './connection-config.ts';
import { findMissingTimeouts } from './find-missing-timeouts.ts';
import { Database, DatabaseUnavailable, migrate } from './index.ts';

const ONE = { name: '', text: 'select 1 as one' };

let url: string;

beforeAll(async () => {
  url = await cloneDatabase();
});

function open(timeouts = SERVICE_TIMEOUTS): Database {
  const database = new Database(url, { connections: 1, maxWaiting: 10, timeouts }, () => undefined);
  opened.push(database);
  return database;
}

const opened: Database[] = [];
afterAll(() => Promise.all(opened.map((each) => each.close())));

describe('a connection', () => {
  it('has the timeouts of the service from its first statement', async () => {
    expect(await findMissingTimeouts(open(), SERVICE_TIMEOUTS)).toEqual([]);
    expect(await findMissingTimeouts(open(), { ...SERVICE_TIMEOUTS, lockMs: 1 })).toEqual([
      'lock_timeout is 4000 ms instead of 1 ms',
    ]);
  });

  it('keeps the options of its URL, except those that contradict ours', async () => {
    const address = new URL(url);
    address.searchParams.set('options', '-c work_mem=5MB -c lock_timeout=99');
    const client = new pg.Client(connectionConfig(address.href, MIGRATION_TIMEOUTS));
    await client.connect();
    const { rows } = await client.query(
      "select current_setting('work_mem') as work_mem, current_setting('lock_timeout') as lock, current_setting('statement_timeout') as statement",
    );
    await client.end();
    expect(rows).toEqual([{ work_mem: '5MB', lock: '1min', statement: '0' }]);
  });
});

describe('a wait that takes too long', () => {
  it('is ended by PostgreSQL and reported as an unavailable database, and the next statement works', async () => {
    const database = open({ ...SERVICE_TIMEOUTS, statementMs: 50 });
    const slow = database.execute({ name: '', text: 'select pg_sleep(60)' }, []);
    await expect(slow).rejects.toThrow(/57014/);
    await expect(slow).rejects.toBeInstanceOf(DatabaseUnavailable);
    expect((await database.execute(ONE, [])).rows).toEqual([{ one: 1 }]);
  });

  it('is also ended if it is for a lock of another connection', async () => {
    const holder = open();
    const waiting = open({ ...SERVICE_TIMEOUTS, lockMs: 50 });
    await holder.execute({ name: '', text: 'create table held as select 1 as id' }, []);
    await holder.transaction(async (tx) => {
      await tx.execute({ name: '', text: 'select id from held for update' }, []);
      const second = waiting.execute({ name: '', text: 'select id from held for update' }, []);
      await expect(second).rejects.toThrow(/55P03/);
      await expect(second).rejects.toBeInstanceOf(DatabaseUnavailable);
    });
  });

  it('is also ended in an idle transaction, which releases its locks', async () => {
    const frozen = open({ ...SERVICE_TIMEOUTS, idleInTransactionMs: 1_000 });
    const other = open();
    await other.execute({ name: '', text: 'create table idle as select 1 as id' }, []);
    const stuck = frozen.transaction(async (tx) => {
      await tx.execute({ name: '', text: 'select id from idle for update' }, []);
      // The other connection gets the row only once PostgreSQL has ended this transaction.
      await other.execute({ name: '', text: 'update idle set id = 2' }, []);
      await tx.execute(ONE, []);
    });
    await expect(stuck).rejects.toBeInstanceOf(DatabaseUnavailable);
    expect((await other.execute({ name: '', text: 'select id from idle' }, [])).rows).toEqual([{ id: 2 }]);
  });

  it('is not ended in migrations, which may also wait for another process’s migration', async () => {
    const holder = open();
    const observer = open();
    let migrated: Promise<unknown> | undefined;
    await holder.transaction(async (tx) => {
      await tx.execute({ name: '', text: "select id from migration_lock where id = 'this' for update" }, []);
      migrated = migrate(url);
      const waits = `select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock'
        and query like '%migration_lock%' and datname = current_database()`;
      const find = async () => (await observer.execute({ name: '', text: waits }, [])).rows;
      await expect.poll(find).toEqual([{ n: 1 }]);
    });
    expect(await migrated).toMatchObject({ applied: [] });
  });
});
