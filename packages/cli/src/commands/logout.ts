import { NotFoundError } from '@seathold/client';
import type { Command } from 'commander';
import { type Credentials, credentialsPath, forgetCredentials, readCredentials } from '../access/credentials.ts';
import { environmentOf } from '../access/find-access.ts';
import { logIn } from '../access/log-in.ts';
import { trustAuthority } from '../access/trust-authority.ts';
import { print } from '../output.ts';
import { createQuestions } from '../terminal/questions.ts';

interface LogoutOptions {
  sandbox?: boolean;
  local?: boolean;
  json?: boolean;
}

/** `seathold logout`: revokes the token of the last login and forgets it. */
export function addLogoutCommand(program: Command): void {
  program
    .command('logout')
    .description('Log out. Revokes the token of your last login and removes it from this machine.')
    .option('--sandbox', 'use the sandbox instead of production')
    .option('--local', 'remove the token without revoking it')
    .option('--json', 'print JSON')
    .addHelpText('after', HELP)
    .action(logout);
}

const HELP = `
Asks for your password, because a token cannot revoke tokens. A token from --token-stdin is removed but not revoked.

Examples:
  $ seathold logout
  $ seathold logout --sandbox --local`;

async function logout(options: LogoutOptions): Promise<void> {
  const environment = environmentOf(options);
  const path = credentialsPath(process.env);
  const kept = await readCredentials(path, environment);
  const revokes = kept !== undefined && kept.made !== null && options.local !== true;
  if (revokes) {
    await revoke(kept);
  }
  if (kept !== undefined) {
    await forgetCredentials(path, environment, kept);
  }
  const value = { was_logged_in: kept !== undefined, revoked: revokes, token_id: kept?.made?.token_id ?? null };
  print(options.json === true, value, [describe(kept, revokes)]);
}

async function revoke({ base_url: baseUrl, ca, made, organization }: Credentials): Promise<void> {
  if (made === null) {
    return;
  }
  if (ca !== null) {
    await trustAuthority(ca);
  }
  const questions = createQuestions();
  process.stderr.write(`To revoke the token, log in as ${made.email}.\n`);
  const login = await logIn(questions, { baseUrl, email: made.email, organizationId: organization?.id }).finally(() =>
    questions.close(),
  );
  try {
    await login.client.apiTokens.delete(made.token_id).catch((error: unknown) => {
      // It was already revoked, or its owner has left the organization, which ended it.
      if (!(error instanceof NotFoundError)) {
        throw error;
      }
    });
  } finally {
    await login.end();
  }
}

function describe(kept: Credentials | undefined, revoked: boolean): string {
  if (kept === undefined) {
    return 'You were not logged in.';
  }
  if (revoked) {
    return `Logged out. The token for ${kept.base_url} was revoked.`;
  }
  const name = kept.made === null ? 'it' : `${kept.made.token_id}`;
  return `Logged out. The token for ${kept.base_url} still works. To end it, revoke ${name} where you manage API tokens.`;
}
