import { rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { describe, expect } from 'vitest';
import { execute, type Member } from '../../server/test/harness/index.ts';
import { joinOrganization } from '../../server/test/harness/join-organization.ts';
import { type CliWorld, createCliTest, type Result } from './cli-world.ts';
import { giveToken, loginAt, makeToken, readKept, requireQuiet } from './login-steps.ts';

const it = createCliTest().override('admin', ({ app }) => app.register('Jane Doe'));
it.beforeEach(({ world }) => rm(dirname(world.credentialsPath), { recursive: true, force: true }));

describe('a second login', () => {
  it('revokes the token of the previous login', async ({ app, admin, world }) => {
    await login(world, admin);
    const before = (await readKept(world)).production;
    await login(world, admin);
    expect(await app.api.get('/v1/event-types', before.token)).toMatchObject({ status: 401 });
    expect(await list(world)).toMatchObject({ code: 0 });
  });

  it("revokes the token of the previous login, even if it was in another of the person's organizations", async ({
    app,
    admin,
    world,
  }) => {
    const member = await joinOrganization(app, admin, 'member');
    await login(world, member, ['--organization', admin.organizationId]);
    const before = (await readKept(world)).production;
    const result = await login(world, member, ['--organization', member.organizationId]);
    expect(result).toMatchObject({ code: 0, stdout: expect.not.stringContaining('still works') });
    expect((await readKept(world)).production.organization.id).toBe(member.organizationId);
    expect(await app.api.get('/v1/event-types', before.token)).toMatchObject({ status: 401 });
  });

  it.for([
    ['of another person', async (world: CliWorld) => login(world, await world.app.register(), ['--json'])],
    [
      'at another address',
      (world: CliWorld, admin: Member) =>
        login(world, admin, ['--json'], world.baseUrl.replace('localhost', '127.0.0.1')),
    ],
    [
      'with a token made elsewhere',
      async (world: CliWorld, admin: Member) =>
        giveToken(world, await makeToken(world, admin, ['read:org', 'read:profile']), ['--json']),
    ],
  ] as const)(
    '%s names the token of the previous login, which remains valid',
    async ([_name, loginAgain], { app, admin, world }) => {
      await login(world, admin);
      const before = (await readKept(world)).production;
      const result = await loginAgain(world, admin);
      expect(result.code).toBe(0);
      expect(JSON.parse(result.stdout).left_alive).toEqual({
        token_id: before.made.token_id,
        email: admin.email,
        base_url: world.baseUrl,
        organization: before.organization,
        expires_at: before.made.expires_at,
      });
      expect(await app.api.get('/v1/event-types', before.token)).toMatchObject({ status: 200 });
      requireQuiet(result, [before.token]);
    },
  );

  it('also tells people which token remains valid, where, and until when', async ({ app, admin, world }) => {
    await login(world, admin);
    const { token, made, organization } = (await readKept(world)).production;
    const other = await app.register();
    const result = await login(world, other);
    const name = `Your previous token, ${made.token_id} of ${admin.email} at ${world.baseUrl}, in ${organization.name}`;
    expect(result.stdout).toContain(name);
    expect(result.stdout).toContain(`still works until ${made.expires_at}`);
    requireQuiet(result, [token]);
  });

  it('says so when it replaces a token that was created elsewhere', async ({ admin, world }) => {
    await giveToken(world, await makeToken(world, admin, ['read:org', 'read:profile']));
    const result = await login(world, admin);
    expect(result.stdout).toContain(`Your previous token for ${world.baseUrl}, in `);
    expect(result.stdout).toContain('still works');
  });

  it('keeps both tokens if both environments log in at the same moment', async ({ admin, world }) => {
    const results = await Promise.all([login(world, admin), login(world, admin, ['--sandbox'])]);
    expect(results.map(({ code }) => code)).toEqual([0, 0]);
    expect(Object.keys(await readKept(world)).sort()).toEqual(['production', 'sandbox']);
  });
});

describe('an expired token', () => {
  it('is reported with how to log in again, whether the stored time or the service reveals it', async ({
    app,
    admin,
    world,
  }) => {
    await login(world, admin);
    const { token, made } = (await readKept(world)).production;
    const expire = "update bearer_tokens set expires_at = created_at + interval '1 millisecond' where source_id = $1";
    await execute(app.database, expire, [made.token_id]);
    const refused = await list(world);
    expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining('log in again with `seathold login`') });

    const kept = await readKept(world);
    kept.production.made.expires_at = new Date(Date.now() - 1_000).toISOString();
    await writeFile(world.credentialsPath, JSON.stringify(kept));
    const ended = await list(world);
    const command = `seathold login --base-url ${world.baseUrl}`;
    expect(ended).toMatchObject({ code: 3, stderr: expect.stringContaining(`log in again with \`${command}\``) });
    requireQuiet(ended, [token]);
    expect(await login(world, admin)).toMatchObject({ code: 0, stdout: expect.not.stringContaining('still works') });
  });
});

function login(
  world: CliWorld,
  member: Member,
  words: readonly string[] = [],
  baseUrl = world.baseUrl,
): Promise<Result> {
  return loginAt(world, member, words, baseUrl);
}

function list(world: CliWorld): Promise<Result> {
  return world.run(['webhooks', 'list']);
}
