import { describe, expect } from 'vitest';
import { cloneDatabase } from '../../test/harness/clone-database.ts';
import { createTest } from '../../test/harness/fixtures.ts';
import { TcpProxy } from '../../test/torture/tcp-proxy.ts';
import { Database, migrate } from './index.ts';

const CONNECTIONS = { connections: 2, maxWaiting: 20, patienceMs: 600_000 };

const it = createTest()
  .extend('url', { scope: 'file' }, () => cloneDatabase())
  // Two hosts of the same database.
  .extend('hosts', async ({ url }, { onCleanup }) => {
    const hosts = [await TcpProxy.start(url), await TcpProxy.start(url)] as const;
    onCleanup(() => hosts.forEach((host) => void host.close()));
    return hosts;
  })
  .extend('several', ({ url, hosts: [first, second] }) =>
    first.through(url).replace('/t_', `,${new URL(second.through(url)).host}/t_`),
  )
  .extend('open', async ({}, { onCleanup }) => {
    const opened: Database[] = [];
    onCleanup(async () => void (await Promise.all(opened.map((each) => each.close()))));
    return (address: string, limits: { connections?: number; preparesStatements?: boolean } = {}) => {
      const database = new Database(address, { ...CONNECTIONS, ...limits }, () => undefined);
      opened.push(database);
      return database;
    };
  });

const ask = async (database: Database, text: string) => (await database.execute({ name: '', text }, [])).rows;

describe('a database with several hosts', () => {
  it('is reached by the first available host', async ({ several, hosts, open }) => {
    const database = open(several);
    expect(await ask(database, 'select 1 as one')).toEqual([{ one: 1 }]);
    hosts[0].close();
    // Queries on a lost connection fail, as with a single host.
    await ask(database, 'select 1 as one').catch(() => undefined);
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask(database, 'select 1 as one')));
    expect(answers).toEqual(Array.from({ length: 10 }, () => [{ one: 1 }]));
  });

  it('is migrated by the available host', async ({ several, hosts }) => {
    hosts[0].close();
    expect((await migrate(several)).applied).toEqual([]);
  });

  it('is not used while no host accepts writes, and is used again once one does', async ({ url, several, open }) => {
    const name = new URL(url).pathname.slice(1);
    const admin = open(url);
    const database = open(several);
    await ask(admin, `alter database ${name} set default_transaction_read_only = on`);
    await expect(ask(database, 'select 1 as one')).rejects.toThrow('does not accept writes');
    expect(await ask(open(`${several}?target_session_attrs=any`), 'select 1 as one')).toEqual([{ one: 1 }]);
    await ask(admin, `alter database ${name} reset default_transaction_read_only`);
    expect(await ask(database, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('drops every connection to a host that no longer accepts writes', async ({ several, open }) => {
    const database = open(several);
    const findPid = () => ask(database, 'select pg_backend_pid() as pid');
    const before = await findPid();
    expect(await findPid()).toEqual(before);
    await ask(database, 'set default_transaction_read_only = on');
    await expect(ask(database, 'create table refused (n int)')).rejects.toThrow(
      /25006: cannot execute CREATE TABLE .*; the server is a standby, or has paused at the end of a recovery$/,
    );
    expect(await findPid()).not.toEqual(before);
  });
});

describe('disabled prepared statements', () => {
  it('leave none on a connection', async ({ url, open }) => {
    const database = open(url, { connections: 1, preparesStatements: false });
    await database.execute({ name: 'find_one', text: 'select 1 as one' }, []);
    expect(await ask(database, 'select name from pg_prepared_statements')).toEqual([]);
  });

  it('are recommended by the error if a pooler has lost a statement', async ({ url, open }) => {
    const database = open(url, { connections: 1 });
    const one = { name: 'find_one', text: 'select 1 as one' };
    await database.execute(one, []);
    await ask(database, 'deallocate all');
    await expect(database.execute(one, [])).rejects.toThrow('SEATHOLD_PREPARED_STATEMENTS=off');
    expect((await database.execute(one, [])).rows).toEqual([{ one: 1 }]);
  });
});
