import { type Command, Option } from 'commander';
import { columns, print } from '../output.ts';
import { parseTime } from '../parse-time.ts';
import { withInstallation } from '../with-installation.ts';

type StaffRole = 'viewer' | 'support' | 'finance' | 'owner';

interface EnvironmentOptions {
  sandbox?: boolean;
  json?: boolean;
}

/** `seathold operator token …`: what the operator's own programs authenticate with. */
export function addOperatorCommand(program: Command): void {
  const token = program
    .command('operator')
    .description('Manage what the operator of the service uses.')
    .command('token')
    .usage('create --name <name> | list | revoke <token_id>')
    .description("Manage tokens for the operator's own programs, for example one that reports usage.");
  inEnvironment(token.command('create').description('Create a token. It is shown only once; only its hash is stored.'))
    .requiredOption('--name <name>', 'what the token is for')
    .addOption(
      new Option('--role <role>', 'what the token may do')
        .choices(['viewer', 'support', 'finance', 'owner'])
        .default('owner'),
    )
    .option('--expires <time>', 'when the token expires, in ISO 8601 (default: never)', parseTime)
    .addHelpText(
      'after',
      '\nExample:\n  $ seathold operator token create --name metering --role finance --expires 2027-12-31',
    )
    .action(create);
  inEnvironment(
    token.command('list').description('List all tokens, newest first, including revoked and expired ones.'),
  ).action(list);
  inEnvironment(token.command('revoke').description('Revoke a token. It stops working immediately.'))
    .argument('<token_id>', 'the ID of the token, optok_…')
    .action(revoke);
}

function inEnvironment(command: Command): Command {
  return command.option('--sandbox', 'use the sandbox instead of production').option('--json', 'print JSON');
}

const tokens = () => import('@seathold/server/operator/manage-tokens');

async function create(
  options: EnvironmentOptions & { name: string; role: StaffRole; expires?: string },
): Promise<void> {
  await withInstallation(tokens, options.sandbox === true, async (operator, installation) => {
    const made = await operator.operatorCreateToken(installation, {
      name: options.name,
      role: options.role,
      expiresAt: options.expires,
    });
    show(made, options);
  });
}

async function list(options: EnvironmentOptions): Promise<void> {
  await withInstallation(tokens, options.sandbox === true, async (operator, installation) => {
    const tokens = await operator.operatorListTokens(installation);
    const lines = columns(
      tokens.map(({ id, status, role, name }) => [id, `${status.padEnd(7)}  ${role.padEnd(7)}  ${name}`]),
    );
    print(options.json === true, tokens, tokens.length === 0 ? ['No operator tokens.'] : lines);
  });
}

async function revoke(id: string, options: EnvironmentOptions): Promise<void> {
  await withInstallation(tokens, options.sandbox === true, async (operator, installation) => {
    show(await operator.operatorRevokeToken(installation, id), options);
  });
}

function show(token: object, options: EnvironmentOptions): void {
  const shown = Object.entries(token).map(([name, value]) => [name, value === null ? '-' : String(value)] as const);
  print(options.json === true, token, columns(shown));
}
