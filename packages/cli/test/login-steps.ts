import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import type { Member } from '../../server/test/harness/index.ts';
import type { CliWorld, Result } from './cli-world.ts';

/** Logs in with email and password. */
export function loginAt(
  world: CliWorld,
  member: Pick<Member, 'email' | 'password'>,
  words: readonly string[] = [],
  baseUrl = world.baseUrl,
): Promise<Result> {
  return world.run(['login', '--base-url', baseUrl, '--email', member.email, ...words], {
    stdin: `${member.password}\n`,
  });
}

/** Logs in with a token created elsewhere. */
export function giveToken(world: CliWorld, token: string, words: readonly string[] = []): Promise<Result> {
  return world.run(['login', '--base-url', world.baseUrl, '--token-stdin', ...words], { stdin: `${token}\n` });
}

/** Creates a token without the command. */
export async function makeToken(world: CliWorld, member: Member, scopes: readonly string[]): Promise<string> {
  const made = await world.app.api.post('/v1/api-tokens', member.accessToken, { name: 'Elsewhere', scopes });
  return made.body.data.token;
}

/** The credentials that the command has stored. */
export async function readKept(world: CliWorld) {
  return JSON.parse(await readFile(world.credentialsPath, 'utf8'));
}

/** Nothing that a command prints may contain a secret. */
export function requireQuiet({ stdout, stderr }: Result, secrets: readonly string[]): void {
  for (const secret of secrets) {
    expect(stdout + stderr).not.toContain(secret);
  }
}
