import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findFreePort } from '../../../../tools/find-free-port.ts';
import { Database } from '../../src/database/index.ts';
import { PostgresNode } from './postgres-node.ts';

let folder: string;
let former: PostgresNode;
let promoted: PostgresNode;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'seathold-former-'));
  former = await PostgresNode.create('former', folder, await findFreePort());
  promoted = await PostgresNode.create('promoted', folder, await findFreePort());
  await former.startPrimary();
  await promoted.startStandby(former);
});
afterAll(async () => {
  await Promise.all([former.close(), promoted.close()]);
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

it('a former primary that still accepts writes is no longer used once the service has seen the new one', async () => {
  const host = (node: PostgresNode) => new URL(node.urlOf('postgres')).host;
  const url = former.urlOf('postgres').replace(host(former), `${host(former)},${host(promoted)}`);
  const limits = { connections: 2, maxWaiting: 10 };
  const [database, other] = [new Database(url, limits, () => undefined), new Database(url, limits, () => undefined)];
  const ask = async (from: Database) =>
    (await from.execute({ name: '', text: `select current_setting('port') as port` }, [])).rows[0];
  const portOf = async (node: PostgresNode) => (await node.ask(`select current_setting('port') as port`))[0];
  expect(await ask(database)).toEqual(await portOf(former));
  expect(await ask(other)).toEqual(await portOf(former));

  former.proxy.freeze();
  await promoted.promote();
  await expect.poll(() => ask(database).catch(() => undefined)).toEqual(await portOf(promoted));
  former.proxy.thaw();
  // It still accepts writes, and another pool has a connection to it, and its address first.
  expect(await former.ask('create table written_alone (n int)')).toEqual([]);
  expect(await ask(other)).toEqual(await portOf(promoted));
  promoted.proxy.close();
  await ask(database).catch(() => undefined);
  await expect(ask(database)).rejects.toThrow(/not available/);
  await Promise.all([database.close(), other.close()]);
});
