import type { Command } from 'commander';
import { addOperatorLoginCommands } from './operator/login.ts';
import { addTokenSubcommands } from './operator/token.ts';

/** `seathold operator …`: credentials of the vendor's staff and programs. */
export function addOperatorCommand(program: Command): void {
  const operator = program.command('operator').description('Manage what the operator of the service uses.');
  addOperatorLoginCommands(operator);
  addTokenSubcommands(operator.command('token'));
}
