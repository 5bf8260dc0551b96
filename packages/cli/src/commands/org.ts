import type { Command } from 'commander';
import { addOrgChangeCommands } from './org/change.ts';
import { addOrgShowCommand } from './org/show.ts';

/** `seathold org …`: the vendor's customers. */
export function addOrgCommand(program: Command): void {
  const org = program.command('org').description("Manage your customers' organizations.");
  addOrgShowCommand(org);
  addOrgChangeCommands(org);
}
