import { randomBytes } from 'node:crypto';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { connectInstallation } from '../../server/src/operator/connect-installation.ts';
import { createEmptyDatabase } from '../../server/test/harness/clone-database.ts';
import { execute } from '../../server/test/harness/index.ts';
import { createCliTest } from './cli-world.ts';

const EXAMPLE = new URL('../../server/src/billing/catalogue/default-catalogue.yaml', import.meta.url);
const limits = { timeout: 300_000 };
const [oldKey, newKey] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')];
let production: string;
const it = createCliTest();

/** No server answers at the sandbox's address, so a command that opens it fails. */
const environment = (masterKey = oldKey) => ({
  SEATHOLD_SANDBOX: 'off',
  SEATHOLD_MASTER_KEY: masterKey,
  DATABASE_URL: production,
  SANDBOX_DATABASE_URL: 'postgres://127.0.0.1:1/sandbox',
});

describe('with SEATHOLD_SANDBOX=off', () => {
  it('every command works on production alone', limits, async ({ world }) => {
    production = await createEmptyDatabase();
    const run = async (words: string, masterKey?: string) => {
      const { code, stdout, stderr } = await world.run(words.split(' '), { env: environment(masterKey) });
      expect({ words, code, stdout, stderr }).toMatchObject({ code: 0, stderr: '' });
      return stdout;
    };
    expect(JSON.parse(await run('migrate --json'))).toMatchObject([{ environment: 'production' }]);
    // The service writes the initial example catalogue. `migrate` does not.
    await copyFile(EXAMPLE, join(world.folder, 'catalogue.yaml'));
    await run('catalog apply catalogue.yaml');
    expect(await run('config')).toMatch(/^SEATHOLD_SANDBOX +off/m);
    const catalogue = await run('catalog show');
    await writeFile(join(world.folder, 'catalogue.yaml'), catalogue.replace('name: Pro', 'name: Professional'));
    expect(JSON.parse(await run('catalog apply catalogue.yaml --json'))).toMatchObject({
      environments: [{ environment: 'production', changes: [{ key: expect.any(String) }] }],
    });
    expect(await run('keys rotate')).toContain('License tokens are now signed with');
    expect(await run('keys rotate-master', `${newKey},${oldKey}`)).toContain('The sandbox is off and was not changed.');
    expect(await run('keys remove-retired', `${newKey},${oldKey}`)).toContain('Removed: ');
    const findings: Array<{ check: string }> = JSON.parse(await run('doctor --json', newKey));
    expect(findings.map(({ check }) => check).filter((check) => check.startsWith('sandbox'))).toEqual([]);
    expect(findings.map(({ check }) => check)).toContain('production: master keys');
    const invariants: Array<{ check: string }> = JSON.parse(await run('doctor --invariants --json', newKey));
    expect(invariants.filter(({ check }) => !check.startsWith('production: '))).toEqual([]);
    const { stdout } = await world.run(['doctor', '--production', '--json'], { env: environment(newKey) });
    expect(JSON.parse(stdout)).toContainEqual({ check: 'sandbox', ok: true, detail: 'off' });
  });

  it.for([
    'account disable-two-factor ada@example.com --sandbox',
    'catalog apply catalogue.yaml --sandbox',
    'catalog show --sandbox',
    'keys rotate --sandbox',
    'license issue --organization ada@example.com --product studio --seats 1 --sandbox',
    'license suspend lic_01k9m2v5x8e4bt3q6r7s8t9vwx --sandbox',
    'operator token list --sandbox',
    'payments reconcile --sandbox',
    'payments resolve pay_01kagt2m8xf3q9wz5r7e6b4c1t --note refunded --sandbox',
  ])('`seathold %s` reports that the sandbox is off', limits, async (words, { world }) => {
    await writeFile(join(world.folder, 'catalogue.yaml'), 'plans: []\n');
    const { code, stdout, stderr } = await world.run(words.split(' '), { env: environment() });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('The sandbox is off. To turn it on, set SEATHOLD_SANDBOX to on.');
  });

  it('no command creates the sandbox database', limits, async ({ world }) => {
    const folder = await mkdtemp(join(tmpdir(), 'seathold-alone-'));
    const env = { SEATHOLD_SANDBOX: 'off', SEATHOLD_DATA_DIR: folder };
    try {
      for (const words of ['migrate', 'keys rotate-master', 'doctor', 'doctor --invariants']) {
        const { code, stderr } = await world.run(words.split(' '), { env });
        expect({ words, code, stderr }).toEqual({ words, code: 0, stderr: '' });
      }
      const installation = await connectInstallation(env, 'production');
      const databases = await execute<{ datname: string }>(
        installation.database,
        "select datname from pg_database where datname like 'seathold%'",
      );
      await installation.close();
      expect(databases).toEqual([{ datname: 'seathold_production' }]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
