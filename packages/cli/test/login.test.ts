import { chmod, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Member } from '../../server/test/harness/index.ts';
import { joinOrganization } from '../../server/test/harness/join-organization.ts';
import { codeAt, MovedClock, registerWithTwoFactor } from '../../server/test/harness/two-factor.ts';
import { type CliWorld, openCliWorld, type Result } from './cli-world.ts';
import { loginAt, makeToken, readKept, requireQuiet } from './login-steps.ts';

const clock = new MovedClock();
let world: CliWorld;
let jane: Member;

beforeAll(async () => {
  world = await openCliWorld({ clock });
  jane = await world.test.register('Jane Doe');
});
afterAll(() => world.close());
beforeEach(() => rm(dirname(world.credentialsPath), { recursive: true, force: true }));

describe('a login', () => {
  test('makes a token named after the machine, keeps it for this user alone, and ends its own session', async () => {
    const result = await login(jane);
    expect(result).toMatchObject({ code: 0 });
    const { production } = await readKept(world);
    expect(production).toMatchObject({ base_url: world.baseUrl, ca: world.caPath });
    expect(production.organization.id).toBe(jane.organizationId);
    expect((await stat(world.credentialsPath)).mode & 0o777).toBe(0o600);
    expect((await stat(dirname(world.credentialsPath))).mode & 0o777).toBe(0o700);

    const tokens = await world.test.api.get('/v1/api-tokens', jane.accessToken);
    const made = tokens.body.data.find((each: { id: string }) => each.id === production.made.token_id);
    expect(made).toMatchObject({ scopes: ['read:org', 'admin:org', 'read:licenses'] });
    expect(made.name).toMatch(/^seathold on ./);
    const lifeDays = (Date.parse(made.expires_at) - Date.parse(made.created_at)) / 86_400_000;
    expect(lifeDays).toBeCloseTo(90, 2);
    expect(production.made.expires_at).toBe(made.expires_at);
    expect(result.stdout).toContain(made.expires_at);
    expect(result.stderr).toContain(`Trusting the certificate authority ${world.caPath} `);
    const sessions = await world.test.api.get('/v1/auth/sessions', jane.accessToken);
    expect(sessions.body.data).toHaveLength(1);
    requireQuiet(result, [production.token, jane.password]);
    expect(await list()).toMatchObject({ code: 0, stdout: 'No webhook endpoints.\n' });
  });

  test('asks for what is not given: email and password, a line each', async () => {
    const words = ['login', '--base-url', world.baseUrl, '--json'];
    const result = await world.run(words, { stdin: `${jane.email}\n${jane.password}\n` });
    expect(JSON.parse(result.stdout)).toMatchObject({ base_url: world.baseUrl, refused_scopes: [] });
    const { production } = await readKept(world);
    requireQuiet(result, [production.token, jane.password]);
  });

  test('completes the two-factor challenge', async () => {
    const member = await registerWithTwoFactor(world.test, clock);
    const code = codeAt(clock, member.secret);
    const result = await world.run(['login', '--base-url', world.baseUrl, '--email', member.email], {
      stdin: `${member.password}\n${code}\n`,
    });
    expect(result).toMatchObject({ code: 0 });
    expect((await readKept(world)).production.organization.id).toBe(member.organizationId);
    requireQuiet(result, [member.password, code]);
  });

  test('with a wrong password keeps nothing and says so', async () => {
    const result = await login({ ...jane, password: 'not the password at all' });
    expect(result).toMatchObject({ code: 1, stdout: '' });
    expect(result.stderr).toMatch(/^seathold: .*password/im);
    await expect(stat(world.credentialsPath)).rejects.toThrow('ENOENT');
  });

  test('without enough lines says what is missing', async () => {
    const result = await world.run(['login', '--base-url', world.baseUrl, '--email', jane.email]);
    expect(result).toMatchObject({ code: 2, stderr: expect.stringContaining('Password') });
  });

  test('of a member tells which scope was refused', async () => {
    const member = await joinOrganization(world.test, jane, 'member');
    const result = await login(member, ['--organization', jane.organizationId]);
    expect(result).toMatchObject({ code: 0, stdout: expect.stringContaining('does not allow the scope admin:org') });
    expect((await readKept(world)).production.organization.id).toBe(jane.organizationId);
    expect(await list()).toMatchObject({ code: 1 });
  });

  test('in a foreign organization is refused, and leaves no session behind', async () => {
    const stranger = await world.test.register();
    expect(await login(jane, ['--organization', stranger.organizationId])).toMatchObject({ code: 4 });
    const sessions = await world.test.api.get('/v1/auth/sessions', jane.accessToken);
    expect(sessions.body.data).toHaveLength(1);
  });

  test('of one environment leaves the other alone', async () => {
    await login(jane);
    await login(jane, ['--sandbox']);
    const { production, sandbox } = await readKept(world);
    expect(production.token).not.toBe(sandbox.token);
    await logout(jane);
    expect(await readKept(world)).toEqual({ sandbox });
  });

  test('to a service whose authority is unknown says how to name it', async () => {
    const env = { SEATHOLD_DATA_DIR: '/nowhere' };
    const words = ['login', '--base-url', world.baseUrl, '--email', jane.email];
    const refused = await world.run(words, { stdin: `${jane.password}\n`, env });
    expect(refused).toMatchObject({ code: 7, stderr: expect.stringContaining('--ca FILE') });
    const named = await world.run([...words, '--ca', join('data', 'tls', 'ca.pem')], {
      stdin: `${jane.password}\n`,
      env,
    });
    expect(named).toMatchObject({ code: 0 });
    expect((await readKept(world)).production.ca).toBe(world.caPath);
  });

  test.each([
    ['file', () => world.caPath],
    ['folder', () => dirname(world.caPath)],
  ])('does not trust an authority whose %s others may write to, and says so', async (_name, pathOf) => {
    const { mode } = await stat(pathOf());
    await chmod(pathOf(), mode | 0o020);
    try {
      const result = await login(jane);
      expect(result).toMatchObject({ code: 7, stderr: expect.stringContaining(`${world.caPath} is not trusted`) });
      expect(await login(jane, ['--ca', world.caPath])).toMatchObject({ code: 0 });
    } finally {
      await chmod(pathOf(), mode);
    }
  });

  test('never goes over plain HTTP', async () => {
    const words = ['login', '--base-url', world.baseUrl.replace('https', 'http'), '--email', jane.email];
    expect(await world.run(words, { stdin: `${jane.password}\n` })).toMatchObject({ code: 2 });
  });
});

describe('a token that was made elsewhere', () => {
  test('is kept when it works, and forgotten but not revoked by logging out', async () => {
    const token = await makeToken(world, jane, ['read:org', 'read:profile']);
    const words = ['login', '--base-url', world.baseUrl, '--token-stdin'];
    const result = await world.run(words, { stdin: `${token}\n` });
    expect(result).toMatchObject({ code: 0 });
    requireQuiet(result, [token]);
    expect((await readKept(world)).production).toMatchObject({
      token,
      organization: { id: jane.organizationId },
      made: null,
    });
    expect(await logout(jane)).toMatchObject({ code: 0, stdout: expect.stringContaining('still works') });
    expect(await readKept(world)).toEqual({});
    expect(await world.test.api.get('/v1/event-types', token)).toMatchObject({ status: 200 });
  });

  test('is refused when it does not work', async () => {
    const token = `svc_live_${'a'.repeat(42)}`;
    const result = await world.run(['login', '--base-url', world.baseUrl, '--token-stdin'], { stdin: token });
    expect(result).toMatchObject({ code: 1 });
    requireQuiet(result, [token]);
    await expect(stat(world.credentialsPath)).rejects.toThrow('ENOENT');
  });
});

describe('the environment', () => {
  test('wins over what is kept', async () => {
    await login(jane);
    const other = await world.test.register();
    const made = await world.test.api.post('/v1/api-tokens', other.accessToken, { name: 'CI', scopes: ['read:org'] });
    await createEndpoint(other);
    const listed = await list({ SEATHOLD_TOKEN: made.body.data.token });
    expect(JSON.parse(listed.stdout)).toHaveLength(1);
  });

  test('cannot send a kept token to another address', async () => {
    await login(jane);
    const result = await list({ SEATHOLD_BASE_URL: 'https://elsewhere.test' });
    expect(result).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('not logged in at https://elsewhere.test'),
    });
  });
});

describe('logging out', () => {
  test('revokes the token and forgets it', async () => {
    await login(jane);
    const { production } = await readKept(world);
    expect(await logout(jane)).toMatchObject({ code: 0, stdout: expect.stringContaining('was revoked') });
    expect(await world.test.api.get('/v1/event-types', production.token)).toMatchObject({ status: 401 });
    expect(await readKept(world)).toEqual({});
    expect(await list()).toMatchObject({ code: 1, stderr: expect.stringContaining('not logged in') });
    expect(await logout(jane)).toMatchObject({ code: 0, stdout: 'You were not logged in.\n' });
  });

  test('with a wrong password keeps the token', async () => {
    await login(jane);
    expect(await logout({ ...jane, password: 'not the password at all' })).toMatchObject({ code: 1 });
    expect(await list()).toMatchObject({ code: 0 });
  });
});

test('a file that is not ours is reported and not shown', async () => {
  await login(jane);
  await writeFile(world.credentialsPath, '{"production": {"token": "svc_live_abc"}}');
  const result = await list();
  expect(result).toMatchObject({ code: 1, stderr: expect.stringContaining('was not written by this command') });
  requireQuiet(result, ['svc_live_abc']);
});

function login(member: Pick<Member, 'email' | 'password'>, words: readonly string[] = []): Promise<Result> {
  return loginAt(world, member, words);
}

function logout(member: Pick<Member, 'password'>): Promise<Result> {
  return world.run(['logout'], { stdin: `${member.password}\n` });
}

async function list(env: Readonly<Record<string, string>> = {}): Promise<Result> {
  return world.run(['webhooks', 'list', ...(Object.keys(env).length === 0 ? [] : ['--json'])], { env });
}

function createEndpoint({ accessToken }: Member) {
  return world.test.api.post('/v1/webhooks', accessToken, { url: 'https://93.184.215.14/hooks', events: ['*'] });
}
