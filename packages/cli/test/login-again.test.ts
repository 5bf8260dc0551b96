import { rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { execute, type Member } from '../../server/test/harness/index.ts';
import { joinOrganization } from '../../server/test/harness/join-organization.ts';
import { type CliWorld, openCliWorld, type Result } from './cli-world.ts';
import { giveToken, loginAt, makeToken, readKept, requireQuiet } from './login-steps.ts';

let world: CliWorld;
let jane: Member;

beforeAll(async () => {
  world = await openCliWorld();
  jane = await world.test.register('Jane Doe');
});
afterAll(() => world.close());
beforeEach(() => rm(dirname(world.credentialsPath), { recursive: true, force: true }));

describe('a login after another', () => {
  test('revokes the token of the one before', async () => {
    await login(jane);
    const before = (await readKept(world)).production;
    await login(jane);
    expect(await world.test.api.get('/v1/event-types', before.token)).toMatchObject({ status: 401 });
    expect(await list()).toMatchObject({ code: 0 });
  });

  test("revokes the token of the one before in another of the person's organizations", async () => {
    const member = await joinOrganization(world.test, jane, 'member');
    await login(member, ['--organization', jane.organizationId]);
    const before = (await readKept(world)).production;
    const result = await login(member, ['--organization', member.organizationId]);
    expect(result).toMatchObject({ code: 0, stdout: expect.not.stringContaining('still works') });
    expect((await readKept(world)).production.organization.id).toBe(member.organizationId);
    expect(await world.test.api.get('/v1/event-types', before.token)).toMatchObject({ status: 401 });
  });

  test.each([
    ['of another person', async () => login(await world.test.register(), ['--json'])],
    ['at another address', () => login(jane, ['--json'], world.baseUrl.replace('localhost', '127.0.0.1'))],
    [
      'with a token made elsewhere',
      async () => giveToken(world, await makeToken(world, jane, ['read:org', 'read:profile']), ['--json']),
    ],
  ])('%s names the token of the one before, which lives on', async (_name, loginAgain) => {
    await login(jane);
    const before = (await readKept(world)).production;
    const result = await loginAgain();
    expect(result.code).toBe(0);
    expect(JSON.parse(result.stdout).left_alive).toEqual({
      token_id: before.made.token_id,
      email: jane.email,
      base_url: world.baseUrl,
      organization: before.organization,
      expires_at: before.made.expires_at,
    });
    expect(await world.test.api.get('/v1/event-types', before.token)).toMatchObject({ status: 200 });
    requireQuiet(result, [before.token]);
  });

  test('says for people, too, which token lives on, where and until when', async () => {
    await login(jane);
    const { token, made, organization } = (await readKept(world)).production;
    const other = await world.test.register();
    const result = await login(other);
    const name = `Your previous token, ${made.token_id} of ${jane.email} at ${world.baseUrl}, in ${organization.name}`;
    expect(result.stdout).toContain(name);
    expect(result.stdout).toContain(`still works until ${made.expires_at}`);
    requireQuiet(result, [token]);
  });

  test('says so when it takes the place of a token that was made elsewhere', async () => {
    await giveToken(world, await makeToken(world, jane, ['read:org', 'read:profile']));
    const result = await login(jane);
    expect(result.stdout).toContain(`Your previous token for ${world.baseUrl}, in `);
    expect(result.stdout).toContain('still works');
  });

  test('at the same moment as that of the other environment loses neither', async () => {
    const results = await Promise.all([login(jane), login(jane, ['--sandbox'])]);
    expect(results.map(({ code }) => code)).toEqual([0, 0]);
    expect(Object.keys(await readKept(world)).sort()).toEqual(['production', 'sandbox']);
  });
});

describe('a token that has expired', () => {
  test('is reported with how to log in again, by its stored time and by what the service says', async () => {
    await login(jane);
    const { token, made } = (await readKept(world)).production;
    const expire = "update bearer_tokens set expires_at = created_at + interval '1 millisecond' where source_id = $1";
    await execute(world.test.database, expire, [made.token_id]);
    const refused = await list();
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('log in again with `seathold login`') });

    const kept = await readKept(world);
    kept.production.made.expires_at = new Date(Date.now() - 1_000).toISOString();
    await writeFile(world.credentialsPath, JSON.stringify(kept));
    const ended = await list();
    const command = `seathold login --base-url ${world.baseUrl}`;
    expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining(`log in again with \`${command}\``) });
    requireQuiet(ended, [token]);
    expect(await login(jane)).toMatchObject({ code: 0, stdout: expect.not.stringContaining('still works') });
  });
});

function login(member: Member, words: readonly string[] = [], baseUrl = world.baseUrl): Promise<Result> {
  return loginAt(world, member, words, baseUrl);
}

function list(): Promise<Result> {
  return world.run(['webhooks', 'list']);
}
