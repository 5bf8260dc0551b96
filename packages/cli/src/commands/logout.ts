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
    .description('Revoke the token that `seathold login` made, and forget it.')
    .option('--sandbox', 'in the sandbox instead of production')
    .option('--local', 'forget the token without revoking it')
    .option('--json', 'print JSON')
    .addHelpText('after', HELP)
    .action(logout);
}

const HELP = `
Asks for the password, since no token may revoke a token. One that came by --token-stdin is forgotten and not revoked.

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
  process.stderr.write(`Revoking the token takes a login of ${made.email}.\n`);
  const login = await logIn(questions, { baseUrl, email: made.email, organizationId: organization?.id }).finally(() =>
    questions.close(),
  );
  try {
    await login.client.apiTokens.delete(made.token_id).catch((error: unknown) => {
      // It was revoked before, or its owner has left the organization, which ended it.
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
    return `The token for ${kept.base_url} is revoked and forgotten.`;
  }
  const name = kept.made === null ? 'it' : `${kept.made.token_id}`;
  return `The token for ${kept.base_url} is forgotten. It still works: revoke ${name} where you manage API tokens.`;
}
