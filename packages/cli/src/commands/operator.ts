import type { Command } from 'commander';
import { columns, print } from '../output.ts';
import { parseTime } from '../parse-time.ts';
import { withInstallation } from '../with-installation.ts';

interface EnvironmentOptions {
  sandbox?: boolean;
  json?: boolean;
}

/** `seathold operator token …`: what the operator's own programs authenticate with. */
export function addOperatorCommand(program: Command): void {
  const token = program
    .command('operator')
    .description("What belongs to the service's operator.")
    .command('token')
    .usage('create --name <name> | list | revoke <token_id>')
    .description("Tokens of the operator's own programs, for example one that reports usage.");
  inEnvironment(token.command('create').description('Make a token. It is printed this once; only its hash is kept.'))
    .requiredOption('--name <name>', 'what it is for')
    .option('--expires <time>', 'ISO 8601; never by default', parseTime)
    .addHelpText('after', '\nExample:\n  $ seathold operator token create --name metering --expires 2027-12-31')
    .action(create);
  inEnvironment(token.command('list').description('Show the tokens, newest first, whatever became of them.')).action(
    list,
  );
  inEnvironment(token.command('revoke').description('End a token: it is refused at its next request.'))
    .argument('<token_id>', 'the token, as `list` shows it: optok_…')
    .action(revoke);
}

function inEnvironment(command: Command): Command {
  return command.option('--sandbox', 'in the sandbox instead of production').option('--json', 'print JSON');
}

const tokens = () => import('@seathold/server/operator/manage-tokens');

async function create(options: EnvironmentOptions & { name: string; expires?: string }): Promise<void> {
  await withInstallation(tokens, options.sandbox === true, async (operator, installation) => {
    const made = await operator.operatorCreateToken(installation, options.name, options.expires);
    show(made, options);
  });
}

async function list(options: EnvironmentOptions): Promise<void> {
  await withInstallation(tokens, options.sandbox === true, async (operator, installation) => {
    const tokens = await operator.operatorListTokens(installation);
    const lines = columns(tokens.map(({ id, status, name }) => [id, `${status.padEnd(7)}  ${name}`]));
    print(options.json === true, tokens, tokens.length === 0 ? ['There is no operator token.'] : lines);
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
