import { readdir, readFile, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { GENERATION, migrate } from '../../src/database/index.ts';
import { execute } from '../harness/index.ts';
import { HttpsClient } from '../torture/https-client.ts';
import { launchServer, readAuthority, type ServerProcess, startServer } from '../torture/server-process.ts';
import { issueLicenses, signUp, World } from '../torture/world.ts';
import { copyMigrationsBefore } from './previous-version.ts';

let world: World;

beforeEach(async () => {
  world = await World.start();
});
afterEach(() => world.close());

const NEXT = GENERATION + 1;

/** The migrations of a newer version, which removes something that this one needs. */
async function newerMigrations(): Promise<URL> {
  const folder = await copyMigrationsBefore('9999');
  await writeFile(new URL('9998-expand.sql', folder), 'alter table licenses add column colour text');
  const contraction = `-- oldest generation: ${NEXT}\nalter table licenses drop column max_seats`;
  await writeFile(new URL('9999-contract.sql', folder), contraction);
  return folder;
}

async function clientOf(server: ServerProcess): Promise<HttpsClient> {
  const client = new HttpsClient([await readAuthority(server.dataDir)]);
  onTestFinished(() => client.close());
  return client;
}

const readClock = async () =>
  (await execute(world.database, 'select alive_at, oldest_generation from service_clock'))[0];

describe('an old process alongside a newer version', () => {
  it('serves until something it needs is removed, then answers 503 with instructions, and changes nothing', async () => {
    const settings = await world.settings('old');
    const server = await startServer(settings);
    const client = await clientOf(server);
    const person = await signUp(client, server.baseUrl, 'ada');
    const [license] = await issueLicenses(world.database, person.organizationId, [5]);
    const acquire = (hardwareId: string) =>
      client.call(
        'POST',
        `${server.baseUrl}/v1/licenses/acquire`,
        { token: person.token },
        {
          license_key: license?.key,
          hardware_id: `hw_${hardwareId.padStart(32, '0')}`,
        },
      );
    expect(await acquire('one')).toMatchObject({ status: 201 });

    await migrate(world.productionUrl, await newerMigrations(), NEXT);
    const clock = await readClock();
    expect(clock).toMatchObject({ oldest_generation: NEXT });
    expect(await acquire('two')).toMatchObject({
      status: 503,
      headers: { 'retry-after': expect.any(String) },
      body: { error: { code: 'service_unavailable' } },
    });
    const { body } = Object(await client.call('GET', `${server.baseUrl}/readyz`));
    expect(body.error).toMatchObject({
      code: 'service_unavailable',
      message: expect.stringMatching(/start the newer version/),
    });
    expect(server.faults.join()).toMatch(/stopped using the database: this version is too old/);
    expect(await readClock()).toEqual(clock);
    // And it cannot be restarted.
    await server.end('SIGTERM');
    const again = launchServer(settings);
    expect((await again.ended).code).not.toBe(0);
    expect(again.output).toMatch(/too old for the database.*start the newer version instead/);
  });

  it('that was frozen meanwhile writes nothing after it thaws', async () => {
    const server = await startServer(await world.settings('old'));
    server.signal('SIGSTOP');
    await migrate(world.productionUrl, await newerMigrations(), NEXT);
    const clock = await readClock();
    server.signal('SIGCONT');
    const client = await clientOf(server);
    await expect
      .poll(async () => JSON.stringify(await client.call('GET', `${server.baseUrl}/readyz`)))
      .toContain('start the newer version');
    expect(await readClock()).toEqual(clock);
  });

  it('can be restarted as long as the newer schema admits it', async () => {
    const folder = await copyMigrationsBefore('9999');
    await writeFile(new URL('9998-expand.sql', folder), 'alter table licenses add column colour text');
    await migrate(world.productionUrl, folder);
    const server = await startServer(await world.settings('old'));
    const client = await clientOf(server);
    expect(await client.call('GET', `${server.baseUrl}/readyz`)).toMatchObject({ status: 200 });
    await signUp(client, server.baseUrl, 'ada');
  });
});

/** From this one on, migrations name the oldest generation that works with them. */
const FIRST_WITH_GENERATIONS = '0064';
const REMOVES =
  /\bdrop (?:table|column)\b|\brename (?:column |to )|\bset not null\b|\balter column \w+ (?:set data )?type\b/i;

it('each migration that removes something names the oldest generation that works with it', async () => {
  const folder = new URL('../../migrations/', import.meta.url);
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql') && name >= FIRST_WITH_GENERATIONS);
  expect(names).not.toEqual([]);
  for (const name of names) {
    const text = await readFile(new URL(name, folder), 'utf8');
    const generation = Number(/^-- oldest generation: (\d+)$/m.exec(text)?.[1] ?? 0);
    expect([name, generation], 'the version that introduces the migration works with it').toEqual([
      name,
      Math.min(generation, GENERATION),
    ]);
    const needsOne = REMOVES.test(text.replaceAll(/--.*$/gm, ''));
    expect([name, needsOne && generation === 0], 'see docs/operating/upgrades.md').toEqual([name, false]);
  }
});
