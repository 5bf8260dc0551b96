import { chmod, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect } from 'vitest';
import type { Member } from '../../server/test/harness/index.ts';
import { joinOrganization } from '../../server/test/harness/join-organization.ts';
import { codeAt, MovedClock, registerWithTwoFactor } from '../../server/test/harness/two-factor.ts';
import { type CliWorld, createCliTest, type Result } from './cli-world.ts';
import { loginAt, makeToken, readKept, requireQuiet } from './login-steps.ts';

const clock = new MovedClock();

const it = createCliTest({ clock }).override('admin', ({ app }) => app.register('Jane Doe'));
it.beforeEach(({ world }) => rm(dirname(world.credentialsPath), { recursive: true, force: true }));

describe('a login', () => {
  it('creates a token named after the machine, stores it readable by this user only, and ends its own session', async ({
    app,
    admin,
    world,
  }) => {
    const result = await login(world, admin);
    expect(result).toMatchObject({ code: 0 });
    const { production } = await readKept(world);
    expect(production).toMatchObject({ base_url: world.baseUrl, ca: world.caPath });
    expect(production.organization.id).toBe(admin.organizationId);
    expect((await stat(world.credentialsPath)).mode & 0o777).toBe(0o600);
    expect((await stat(dirname(world.credentialsPath))).mode & 0o777).toBe(0o700);

    const tokens = await app.api.get('/v1/api-tokens', admin.accessToken);
    const made = tokens.body.data.find((each: { id: string }) => each.id === production.made.token_id);
    expect(made).toMatchObject({ scopes: ['read:org', 'admin:org', 'read:licenses'] });
    expect(made.name).toMatch(/^seathold on ./);
    const lifeDays = (Date.parse(made.expires_at) - Date.parse(made.created_at)) / 86_400_000;
    expect(lifeDays).toBeCloseTo(90, 2);
    expect(production.made.expires_at).toBe(made.expires_at);
    expect(result.stdout).toContain(made.expires_at);
    expect(result.stderr).toContain(`Trusting the certificate authority ${world.caPath} `);
    const sessions = await app.api.get('/v1/auth/sessions', admin.accessToken);
    expect(sessions.body.data).toHaveLength(1);
    requireQuiet(result, [production.token, admin.password]);
    expect(await list(world)).toMatchObject({ code: 0, stdout: 'No webhook endpoints.\n' });
  });

  it('reads a missing email and password from one line each', async ({ admin, world }) => {
    const words = ['login', '--base-url', world.baseUrl, '--json'];
    const result = await world.run(words, { stdin: `${admin.email}\n${admin.password}\n` });
    expect(JSON.parse(result.stdout)).toMatchObject({ base_url: world.baseUrl, refused_scopes: [] });
    const { production } = await readKept(world);
    requireQuiet(result, [production.token, admin.password]);
  });

  it('completes the two-factor challenge', async ({ app, world }) => {
    const member = await registerWithTwoFactor(app, clock);
    const code = codeAt(clock, member.secret);
    const result = await world.run(['login', '--base-url', world.baseUrl, '--email', member.email], {
      stdin: `${member.password}\n${code}\n`,
    });
    expect(result).toMatchObject({ code: 0 });
    expect((await readKept(world)).production.organization.id).toBe(member.organizationId);
    requireQuiet(result, [member.password, code]);
  });

  it('with a wrong password stores nothing and reports it', async ({ admin, world }) => {
    const result = await login(world, { ...admin, password: 'not the password at all' });
    expect(result).toMatchObject({ code: 3, stdout: '' });
    expect(result.stderr).toMatch(/^seathold: .*password/im);
    await expect(stat(world.credentialsPath)).rejects.toThrow('ENOENT');
  });

  it('without enough input lines names what is missing', async ({ admin, world }) => {
    const result = await world.run(['login', '--base-url', world.baseUrl, '--email', admin.email]);
    expect(result).toMatchObject({ code: 2, stderr: expect.stringContaining('Password') });
  });

  it('of a member names the refused scope', async ({ app, admin, world }) => {
    const member = await joinOrganization(app, admin, 'member');
    const result = await login(world, member, ['--organization', admin.organizationId]);
    expect(result).toMatchObject({ code: 0, stdout: expect.stringContaining('does not allow the scope admin:org') });
    expect((await readKept(world)).production.organization.id).toBe(admin.organizationId);
    expect(await list(world)).toMatchObject({ code: 6 });
  });

  it('to someone else’s organization is refused, and leaves no session behind', async ({ app, admin, world }) => {
    const stranger = await app.register();
    expect(await login(world, admin, ['--organization', stranger.organizationId])).toMatchObject({ code: 4 });
    const sessions = await app.api.get('/v1/auth/sessions', admin.accessToken);
    expect(sessions.body.data).toHaveLength(1);
  });

  it('to one environment leaves the other alone', async ({ admin, world }) => {
    await login(world, admin);
    await login(world, admin, ['--sandbox']);
    const { production, sandbox } = await readKept(world);
    expect(production.token).not.toBe(sandbox.token);
    await logout(world, admin);
    expect(await readKept(world)).toEqual({ sandbox });
  });

  it('to a service with an unknown certificate authority explains how to specify it', async ({ admin, world }) => {
    const env = { SEATHOLD_DATA_DIR: '/nowhere' };
    const words = ['login', '--base-url', world.baseUrl, '--email', admin.email];
    const refused = await world.run(words, { stdin: `${admin.password}\n`, env });
    expect(refused).toMatchObject({ code: 7, stderr: expect.stringContaining('--ca FILE') });
    const named = await world.run([...words, '--ca', join('data', 'tls', 'ca.pem')], {
      stdin: `${admin.password}\n`,
      env,
    });
    expect(named).toMatchObject({ code: 0 });
    expect((await readKept(world)).production.ca).toBe(world.caPath);
  });

  it.for([
    ['file', (world: CliWorld) => world.caPath],
    ['folder', (world: CliWorld) => dirname(world.caPath)],
  ] as const)(
    'does not trust an authority whose %s others may write to, and reports it',
    async ([_name, pathOf], { admin, world }) => {
      const { mode } = await stat(pathOf(world));
      await chmod(pathOf(world), mode | 0o020);
      try {
        const result = await login(world, admin);
        expect(result).toMatchObject({ code: 7, stderr: expect.stringContaining(`${world.caPath} is not trusted`) });
        expect(await login(world, admin, ['--ca', world.caPath])).toMatchObject({ code: 0 });
      } finally {
        await chmod(pathOf(world), mode);
      }
    },
  );

  it('never goes over plain HTTP', async ({ admin, world }) => {
    const words = ['login', '--base-url', world.baseUrl.replace('https', 'http'), '--email', admin.email];
    expect(await world.run(words, { stdin: `${admin.password}\n` })).toMatchObject({ code: 2 });
  });
});

describe('a token created elsewhere', () => {
  it('is stored if it works, and logging out deletes but does not revoke it', async ({ app, admin, world }) => {
    const token = await makeToken(world, admin, ['read:org', 'read:profile']);
    const words = ['login', '--base-url', world.baseUrl, '--token-stdin'];
    const result = await world.run(words, { stdin: `${token}\n` });
    expect(result).toMatchObject({ code: 0 });
    requireQuiet(result, [token]);
    expect((await readKept(world)).production).toMatchObject({
      token,
      organization: { id: admin.organizationId },
      made: null,
    });
    expect(await logout(world, admin)).toMatchObject({ code: 0, stdout: expect.stringContaining('still works') });
    expect(await readKept(world)).toEqual({});
    expect(await app.api.get('/v1/event-types', token)).toMatchObject({ status: 200 });
  });

  it('is refused if it does not work', async ({ world }) => {
    const token = `svc_live_${'a'.repeat(42)}`;
    const result = await world.run(['login', '--base-url', world.baseUrl, '--token-stdin'], { stdin: token });
    expect(result).toMatchObject({ code: 3 });
    requireQuiet(result, [token]);
    await expect(stat(world.credentialsPath)).rejects.toThrow('ENOENT');
  });
});

describe('the environment', () => {
  it('takes precedence over stored credentials', async ({ app, admin, world }) => {
    await login(world, admin);
    const other = await app.register();
    const made = await app.api.post('/v1/api-tokens', other.accessToken, { name: 'CI', scopes: ['read:org'] });
    await createEndpoint(world, other);
    const listed = await list(world, { SEATHOLD_TOKEN: made.body.data.token });
    expect(JSON.parse(listed.stdout)).toHaveLength(1);
  });

  it('cannot send a stored token to another address', async ({ admin, world }) => {
    await login(world, admin);
    const result = await list(world, { SEATHOLD_BASE_URL: 'https://elsewhere.test' });
    expect(result).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('not logged in at https://elsewhere.test'),
    });
  });
});

describe('logging out', () => {
  it('revokes the token and deletes it', async ({ app, admin, world }) => {
    await login(world, admin);
    const { production } = await readKept(world);
    expect(await logout(world, admin)).toMatchObject({ code: 0, stdout: expect.stringContaining('was revoked') });
    expect(await app.api.get('/v1/event-types', production.token)).toMatchObject({ status: 401 });
    expect(await readKept(world)).toEqual({});
    expect(await list(world)).toMatchObject({ code: 3, stderr: expect.stringContaining('not logged in') });
    expect(await logout(world, admin)).toMatchObject({ code: 0, stdout: 'You were not logged in.\n' });
  });

  it('with a wrong password keeps the token', async ({ admin, world }) => {
    await login(world, admin);
    expect(await logout(world, { ...admin, password: 'not the password at all' })).toMatchObject({ code: 3 });
    expect(await list(world)).toMatchObject({ code: 0 });
  });
});

it('a credentials file that is not ours is reported but not shown', async ({ admin, world }) => {
  await login(world, admin);
  await writeFile(world.credentialsPath, '{"production": {"token": "svc_live_abc"}}');
  const result = await list(world);
  expect(result).toMatchObject({ code: 1, stderr: expect.stringContaining('was not written by this command') });
  requireQuiet(result, ['svc_live_abc']);
});

function login(
  world: CliWorld,
  member: Pick<Member, 'email' | 'password'>,
  words: readonly string[] = [],
): Promise<Result> {
  return loginAt(world, member, words);
}

function logout(world: CliWorld, member: Pick<Member, 'password'>): Promise<Result> {
  return world.run(['logout'], { stdin: `${member.password}\n` });
}

async function list(world: CliWorld, env: Readonly<Record<string, string>> = {}): Promise<Result> {
  return world.run(['webhooks', 'list', ...(Object.keys(env).length === 0 ? [] : ['--json'])], { env });
}

function createEndpoint(world: CliWorld, { accessToken }: Member) {
  return world.app.api.post('/v1/webhooks', accessToken, { url: 'https://93.184.215.14/hooks', events: ['*'] });
}
