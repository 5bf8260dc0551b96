import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { execute } from '../../server/test/harness/index.ts';
import { createCliTest } from './cli-world.ts';

let env: Record<string, string>;

const it = createCliTest()
  .extend('folder', { scope: 'file' }, () => mkdtemp(join(tmpdir(), 'seathold-rotate-')))
  .extend(
    'keysInFile',
    ({ folder }) =>
      async () =>
        (await readFile(join(folder, 'master.key'), 'utf8')).trim().split('\n').length,
  );
it.beforeAll(async ({ folder, world, sandbox }) => {
  await writeFile(join(folder, 'master.key'), `${randomBytes(32).toString('base64')}\n`, { mode: 0o600 });
  env = {
    DATABASE_URL: world.app.databaseUrl,
    SANDBOX_DATABASE_URL: sandbox.databaseUrl,
    SEATHOLD_DATA_DIR: folder,
  };
});
it.afterAll(async ({ folder }) => {
  await rm(folder, { recursive: true, force: true });
});

it('the commands rotate the master key of both environments, show it in doctor, and remove the old key', async ({
  app,
  world,
  sandbox,
  keysInFile,
}) => {
  for (const { database } of [app, sandbox]) {
    await execute(database, 'delete from outgoing_mails');
  }
  const rotated = await world.run(['keys', 'rotate-master', '--json'], { env });
  expect(rotated).toMatchObject({ code: 0, stderr: '' });
  const { key_id: keyId } = JSON.parse(rotated.stdout);
  expect(keyId).toMatch(/^[0-9a-f]{16}$/);
  expect(await keysInFile()).toBe(2);
  const findings: Array<{ check: string; ok: boolean; detail: string }> = JSON.parse(
    (await world.run(['doctor', '--json'], { env })).stdout,
  );
  const keys = findings.filter(({ check }) => check.endsWith('master keys'));
  expect(keys).toMatchObject([{ ok: true }, { ok: true }]);
  expect(keys[0]?.detail).toContain(`${keyId}, encrypts`);
  expect((await world.run(['keys', 'remove-retired'], { env })).code).toBe(0);
  expect(await keysInFile()).toBe(1);
});

it('the commands refuse an unrelated key', async ({ world }) => {
  const foreign = { ...env, SEATHOLD_MASTER_KEY: randomBytes(32).toString('base64') };
  const refused = await world.run(['keys', 'rotate-master'], { env: foreign });
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('The master key is not the one');
});
