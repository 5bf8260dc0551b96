import { describe, expect } from 'vitest';
import type { Member } from '../../server/test/harness/index.ts';
import { type CliWorld, createCliTest } from './cli-world.ts';

const it = createCliTest()
  .extend(
    'license',
    ({ world, env }) =>
      (...words: string[]) =>
        world.run(['license', ...words], { env }),
  )
  .extend(
    'issue',
    ({ admin, license }) =>
      (...words: string[]) =>
        license('issue', '--organization', admin.email, '--product', 'studio', '--seats', '2', '--json', ...words),
  );
const tier = async (world: CliWorld, admin: Member) =>
  (await world.app.api.get('/v1/licenses', admin.accessToken)).headers.get('x-ratelimit-limit');

describe('seathold license issue', () => {
  it('issues a perpetual license with features of any kind, on the tier pro', async ({
    app,
    admin,
    license,
    issue,
    world,
  }) => {
    expect(await tier(world, admin)).toBe('60');
    const issued = await issue('--perpetual', '--feature', 'ai_assistance', 'projects=20', 'edition=studio');
    expect(issued.code).toBe(0);
    expect(issued.stderr).toContain('Added the product "studio", because there was none.');
    expect((await issue('--feature', 'edition=studio')).stderr).toBe('');
    const { id, expires_at: expiresAt } = JSON.parse(issued.stdout);
    expect(expiresAt).toBeNull();
    const { data } = (await app.api.get(`/v1/licenses/${id}`, admin.accessToken)).body;
    expect(data).toMatchObject({
      expires_at: null,
      features: { ai_assistance: true, cloud_workstations: false, projects: 20, edition: 'studio' },
    });
    expect(await tier(world, admin)).toBe('300');
    const ended = await license('extend', id, '2099-12-31', '--json');
    expect(JSON.parse(ended.stdout).expires_at).toBe('2099-12-31T00:00:00.000Z');
    const again = await license('extend', id, 'never');
    expect(again.stdout).toMatch(/^expires_at +never$/m);
  });

  it('takes the tier from --tier, and expires in a year by default', async ({ admin, issue, world }) => {
    const issued = JSON.parse((await issue('--tier', 'enterprise')).stdout);
    expect(Math.round((Date.parse(issued.expires_at) - Date.now()) / 86_400_000)).toBe(365);
    expect(await tier(world, admin)).toBe('1000');
  });

  it('refuses an unknown tier, a perpetual license with an expiry, and a feature without a name', async ({ issue }) => {
    expect((await issue('--tier', 'gold')).code).toBe(2);
    expect((await issue('--perpetual', '--expires', '2099-12-31')).code).toBe(2);
    expect((await issue('--feature', '=20')).code).toBe(2);
  });
});
