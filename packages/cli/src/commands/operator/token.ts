import type { OperatorToken } from '@seathold/client';
import { type Command, Option } from 'commander';
import { findOperatorUrl } from '../../access/find-operator-access.ts';
import { listAll } from '../../operator/list-all.ts';
import { addOperatorOptions, given, type OperatorOptions } from '../../operator/options.ts';
import { withOperator } from '../../operator/with-operator.ts';
import { columns, print } from '../../output.ts';
import { parseTime } from '../../parse-time.ts';
import { withInstallation } from '../../with-installation.ts';

type StaffRole = OperatorToken['role'];

interface CreateOptions extends OperatorOptions {
  name: string;
  role: StaffRole;
  expires?: string;
}

/** `create`, `list` and `revoke`: credentials of the operator's own programs. */
export function addTokenSubcommands(token: Command): void {
  token
    .usage('create --name <name> | list | revoke <token_id>')
    .description("Manage tokens for the operator's own programs, for example one that reports usage.");
  addOperatorOptions(
    token
      .command('create')
      .description('Create a token. It is shown only once, because only its hash is stored.')
      .requiredOption('--name <name>', 'what the token is for')
      .addOption(
        new Option('--role <role>', 'what the token may do')
          .choices(['viewer', 'support', 'finance', 'owner'])
          .default('owner'),
      )
      .option('--expires <time>', 'when the token expires, in ISO 8601 (default: never)', parseTime),
  )
    .addHelpText(
      'after',
      '\nExample:\n  $ seathold operator token create --name metering --role finance --expires 2027-12-31',
    )
    .action(create);
  addOperatorOptions(
    token.command('list').description('List all tokens, newest first, including revoked and expired ones.'),
  ).action(list);
  addOperatorOptions(token.command('revoke').description('Revoke a token. It stops working immediately.'))
    .argument('<token_id>', 'the ID of the token, optok_…')
    .action(revoke);
}

const tokens = () => import('@seathold/server/operator/manage-tokens');

async function create(options: CreateOptions): Promise<void> {
  const { name, role, expires } = options;
  if (findOperatorUrl(options) !== undefined) {
    return withOperator(options, async (client) => {
      show(await client.operator.createToken({ name, role, ...given({ expires_at: expires }) }), options);
    });
  }
  await withInstallation(tokens, options.sandbox === true, async (operator, installation) => {
    show(await operator.operatorCreateToken(installation, { name, role, expiresAt: expires }), options);
  });
}

async function list(options: OperatorOptions): Promise<void> {
  if (findOperatorUrl(options) !== undefined) {
    return withOperator(options, async (client) =>
      showAll(await listAll(client.operator.listTokens({ limit: 100 })), options),
    );
  }
  await withInstallation(tokens, options.sandbox === true, async (operator, installation) =>
    showAll(await operator.operatorListTokens(installation), options),
  );
}

async function revoke(id: string, options: OperatorOptions): Promise<void> {
  if (findOperatorUrl(options) !== undefined) {
    return withOperator(options, async (client) => {
      await client.operator.revokeToken(id);
      print(options.json === true, { id, status: 'revoked' }, [`${id} is revoked.`]);
    });
  }
  await withInstallation(tokens, options.sandbox === true, async (operator, installation) => {
    show(await operator.operatorRevokeToken(installation, id), options);
  });
}

function showAll(all: readonly OperatorToken[], { json }: OperatorOptions): void {
  const lines = columns(
    all.map(({ id, status, role, name }) => [id, `${status.padEnd(7)}  ${role.padEnd(7)}  ${name}`]),
  );
  print(json === true, all, all.length === 0 ? ['No operator tokens.'] : lines);
}

function show(token: object, options: OperatorOptions): void {
  const shown = Object.entries(token).map(([name, value]) => [name, value === null ? '-' : String(value)] as const);
  print(options.json === true, token, columns(shown));
}
