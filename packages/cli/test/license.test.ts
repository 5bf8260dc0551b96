import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Member, openTestApp, type TestApp } from '../../server/test/harness/index.ts';
import { type CliWorld, openCliWorld } from './cli-world.ts';

let world: CliWorld;
let sandbox: TestApp;
let ada: Member;
let env: Record<string, string>;

beforeAll(async () => {
  world = await openCliWorld();
  sandbox = await openTestApp({ environment: 'sandbox' });
  ada = await world.test.register();
  env = {
    DATABASE_URL: world.test.databaseUrl,
    SANDBOX_DATABASE_URL: sandbox.databaseUrl,
    SEATHOLD_MASTER_KEY: randomBytes(32).toString('base64'),
  };
});
afterAll(async () => {
  await sandbox.close();
  await world.close();
});

const license = (...words: string[]) => world.run(['license', ...words], { env });
const issue = (...words: string[]) =>
  license('issue', '--organization', ada.email, '--product', 'studio', '--seats', '2', '--json', ...words);
const tier = async () => (await world.test.api.get('/v1/licenses', ada.accessToken)).headers.get('x-ratelimit-limit');

describe('seathold license issue', () => {
  it('issues a perpetual license with features of any kind, on the tier pro', async () => {
    expect(await tier()).toBe('60');
    const issued = await issue('--perpetual', '--feature', 'ai_assistance', 'projects=20', 'edition=studio');
    expect(issued).toMatchObject({ code: 0, stderr: '' });
    const { id, expires_at: expiresAt } = JSON.parse(issued.stdout);
    expect(expiresAt).toBeNull();
    const { data } = (await world.test.api.get(`/v1/licenses/${id}`, ada.accessToken)).body;
    expect(data).toMatchObject({
      expires_at: null,
      features: { ai_assistance: true, cloud_workstations: false, projects: 20, edition: 'studio' },
    });
    expect(await tier()).toBe('300');
    const ended = await license('extend', id, '2099-12-31', '--json');
    expect(JSON.parse(ended.stdout).expires_at).toBe('2099-12-31T00:00:00.000Z');
    const again = await license('extend', id, 'never');
    expect(again.stdout).toMatch(/^expires_at +never$/m);
  });

  it('takes the tier from --tier, and expires in a year by default', async () => {
    const issued = JSON.parse((await issue('--tier', 'enterprise')).stdout);
    expect(Math.round((Date.parse(issued.expires_at) - Date.now()) / 86_400_000)).toBe(365);
    expect(await tier()).toBe('1000');
  });

  it('refuses an unknown tier, a perpetual license with an expiry, and a feature without a name', async () => {
    expect((await issue('--tier', 'gold')).code).toBe(2);
    expect((await issue('--perpetual', '--expires', '2099-12-31')).code).toBe(2);
    expect((await issue('--feature', '=20')).code).toBe(2);
  });
});
