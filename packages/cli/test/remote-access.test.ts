import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { ensureLocalCertificate } from '../../server/src/security/index.ts';
import { createRemoteTest } from './remote-world.ts';

const it = createRemoteTest();

describe('a command with --url', () => {
  it('reports a missing token, and lists the three ways to pass one', async ({ world }) => {
    const refused = await world.run(['license', 'list', '--url', world.baseUrl]);
    expect(refused).toMatchObject({ code: 3, stdout: '' });
    for (const way of ['seathold operator login --url', 'SEATHOLD_OPERATOR_TOKEN', '--token-stdin']) {
      expect(refused.stderr).toContain(way);
    }
  });

  it('reports a wrong token, with the request ID and what to do', async ({ remote }) => {
    const wrong = { SEATHOLD_OPERATOR_TOKEN: `svc_opt_${'x'.repeat(42)}` };
    const { code, stderr } = await remote(['license', 'list'], wrong);
    expect(code).toBe(3);
    expect(stderr).toMatch(
      /^seathold: The token is invalid\..*\n {2}invalid_token, request req_\w+\n {2}Check the token/,
    );
    expect(stderr).not.toContain('xxx');
    const { error } = JSON.parse((await remote(['license', 'list', '--json'], wrong)).stderr);
    expect(error).toMatchObject({ code: 'invalid_token', status: 401, request_id: expect.stringMatching(/^req_/) });
  });

  it('lets a viewer read, and names the role that a change needs', async ({ remote, createToken }) => {
    const viewer = { SEATHOLD_OPERATOR_TOKEN: await createToken('viewer') };
    expect(await remote(['license', 'list'], viewer)).toMatchObject({ code: 0, stdout: 'No licenses.\n' });
    const refused = await remote(['license', 'suspend', 'lic_nothing', '--reason', 'unpaid'], viewer);
    expect(refused).toMatchObject({ code: 6, stdout: '' });
    expect(refused.stderr).toContain('You need the staff role support to do this.');
    expect(refused.stderr).toContain('seathold token create --name <name> --role support');
  });

  it('exits with 7 if the service is unreachable', async ({ remote }) => {
    const { code, stderr } = await remote(['license', 'list', '--url', 'https://localhost:9']);
    expect(code).toBe(7);
    expect(stderr).toContain('got no answer');
  });

  it('exits with 7 for a wrong certificate authority, and with 0 for the right one', async ({ world, remote }) => {
    const elsewhere = { SEATHOLD_DATA_DIR: join(world.folder, 'elsewhere') };
    const other = await ensureLocalCertificate({
      dir: join(world.folder, 'other'),
      hostnames: ['localhost'],
      now: new Date(),
    });
    for (const words of [[], ['--ca-file', other.caPath]]) {
      const refused = await remote(['license', 'list', ...words], elsewhere);
      expect(refused.code).toBe(7);
      expect(refused.stderr).toContain('--ca-file');
    }
    expect((await remote(['license', 'list', '--ca-file', world.caPath], elsewhere)).code).toBe(0);
    expect((await remote(['license', 'list', '--ca-file', 'nothing.pem'], elsewhere)).code).toBe(2);
  });

  it('takes the token from standard input', async ({ remote, ownerToken }) => {
    const none = { SEATHOLD_OPERATOR_TOKEN: '' };
    expect((await remote(['license', 'list', '--token-stdin'], none, `${ownerToken}\n`)).code).toBe(0);
    expect((await remote(['license', 'list', '--token-stdin'], none)).code).toBe(2);
  });

  it('refuses --sandbox, because the URL decides', async ({ remote }) => {
    const { code, stderr } = await remote(['license', 'list', '--sandbox']);
    expect([code, stderr.includes("the sandbox's own URL")]).toEqual([2, true]);
  });

  it('never connects without encryption', async ({ remote, world }) => {
    const { code, stderr } = await remote(['license', 'list', '--url', world.baseUrl.replace('https', 'http')]);
    expect([code, stderr.includes('https://')]).toEqual([2, true]);
  });
});

describe('seathold operator login', () => {
  it('stores a token for a URL, readable only by the user, and removes it again', async ({ world, ownerToken }) => {
    const url = ['--url', world.baseUrl];
    const kept = await world.run(['operator', 'login', ...url, '--token-stdin'], { stdin: ownerToken });
    expect(kept).toMatchObject({ code: 0, stderr: '' });
    expect(kept.stdout).toContain('Its role is owner.');
    expect(kept.stdout).not.toContain(ownerToken);
    expect((await stat(world.credentialsPath)).mode & 0o777).toBe(0o600);
    expect((await world.run(['license', 'list', ...url])).code).toBe(0);
    const elsewhere = await world.run(['license', 'list', '--url', 'https://example.com']);
    expect(elsewhere.stderr).toContain('There is no operator token for https://example.com');
    expect((await world.run(['operator', 'logout', ...url])).stdout).toContain('was removed');
    expect(await readFile(world.credentialsPath, 'utf8')).not.toContain(ownerToken);
    expect((await world.run(['license', 'list', ...url])).code).toBe(3);
  });

  it('does not store a token that the service refuses', async ({ world }) => {
    const words = ['operator', 'login', '--url', world.baseUrl, '--token-stdin'];
    expect((await world.run(words, { stdin: `svc_opt_${'x'.repeat(42)}` })).code).toBe(3);
    expect((await world.run(['license', 'list', '--url', world.baseUrl])).stderr).toContain('no operator token');
  });
});

describe('a command without --url', () => {
  it('works on this server with its own token, which is revoked at the end', async ({ world, env }) => {
    const here = { ...env, SEATHOLD_BASE_URL: world.baseUrl };
    expect(await world.run(['license', 'list'], { env: here })).toMatchObject({ code: 0, stdout: 'No licenses.\n' });
    const listed = await world.run(['token', 'list', '--json'], { env: here });
    const own = JSON.parse(listed.stdout).filter((each: { name: string }) => each.name.startsWith('Command on'));
    expect(own).toMatchObject([{ status: 'revoked', role: 'owner', expires_at: expect.any(String) }]);
  });

  it('reports that it needs a running service', async ({ world, env }) => {
    const { code, stderr } = await world.run(['license', 'list'], {
      env: { ...env, SEATHOLD_BASE_URL: 'https://localhost:59' },
    });
    expect([code, stderr]).toEqual([7, expect.stringContaining('This command needs a running service. Start it')]);
  });

  it('revokes its token even if the service refuses the request', async ({ world, env }) => {
    const here = { ...env, SEATHOLD_BASE_URL: world.baseUrl };
    expect((await world.run(['license', 'show', 'lic_nothing'], { env: here })).code).toBe(4);
    const listed = await world.run(['token', 'list', '--json'], { env: here });
    const own = JSON.parse(listed.stdout).filter((each: { name: string }) => each.name.startsWith('Command on'));
    expect(own.map((each: { status: string }) => each.status)).not.toContain('active');
  });
});
