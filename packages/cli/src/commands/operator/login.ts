import { Seathold } from '@seathold/client';
import { type Command, Option } from 'commander';
import { credentialsPath, forgetOperatorCredentials, keepOperatorCredentials } from '../../access/credentials.ts';
import { findOperatorPlace, findOperatorUrl, readOperatorToken } from '../../access/find-operator-access.ts';
import { trustAuthority } from '../../access/trust-authority.ts';
import { CommandFailure } from '../../command-failure.ts';
import { print } from '../../output.ts';

interface LoginOptions {
  url?: string;
  caFile?: string;
  tokenStdin?: boolean;
  json?: boolean;
}

/** `seathold operator login` and `logout`: stores an operator token for one service. */
export function addOperatorLoginCommands(operator: Command): void {
  operator
    .command('login')
    .description(
      'Store an operator token for a service, so that you do not have to pass it to commands with its --url.',
    )
    .addOption(urlOption())
    .option('--ca-file <file>', 'a PEM file with the private certificate authority of the service')
    .option('--token-stdin', 'read the token from standard input instead of asking for it')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  $ pass show seathold/operator | seathold operator login --url https://licenses.example.com --token-stdin',
    )
    .action(login);
  operator
    .command('logout')
    .description('Remove the stored operator token of a service. The token itself stays valid until you revoke it.')
    .addOption(urlOption())
    .option('--json', 'print JSON')
    .action(logout);
}

function urlOption(): Option {
  return new Option('--url <url>', 'the URL of the service (default: SEATHOLD_URL)');
}

async function login(options: LoginOptions): Promise<void> {
  const baseUrl = requireUrl(options);
  const { ca } = await findOperatorPlace(baseUrl, options);
  const token = await readOperatorToken(baseUrl, options);
  if (ca !== null) {
    await trustAuthority(ca);
  }
  const { name, role, id } = await identify(new Seathold({ baseUrl, token }), token);
  const path = credentialsPath(process.env);
  await keepOperatorCredentials(path, baseUrl, { token, ca });
  print(options.json === true, { url: baseUrl, token_id: id, name, role, path }, [
    `The token ${name} works at ${baseUrl}. Its role is ${role}.`,
    `It is stored in ${path}, which only you can read.`,
  ]);
}

/** Every role may list tokens, and the list shows the beginning of each. */
async function identify(client: Seathold, token: string) {
  for await (const each of client.operator.listTokens({ limit: 100 })) {
    if (token.startsWith(each.prefix) && each.status === 'active') {
      return each;
    }
  }
  throw new CommandFailure('invalid_token', 'This is not an operator token of this service.');
}

async function logout(options: LoginOptions): Promise<void> {
  const baseUrl = requireUrl(options);
  const wasKept = await forgetOperatorCredentials(credentialsPath(process.env), baseUrl);
  const line = wasKept ? `The token for ${baseUrl} was removed.` : `There was no token for ${baseUrl}.`;
  print(options.json === true, { url: baseUrl, was_kept: wasKept }, [line]);
}

function requireUrl(options: LoginOptions): string {
  const url = findOperatorUrl(options);
  if (url === undefined) {
    throw new CommandFailure('missing_input', 'Specify the service with --url or SEATHOLD_URL.');
  }
  return url;
}
