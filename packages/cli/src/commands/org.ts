import type { Command } from 'commander';
import { addOrgChangeCommands } from './org/change.ts';
import { addOrgCreateCommand } from './org/create.ts';
import { addOrgDeleteCommand } from './org/delete.ts';
import { addOrgListCommand } from './org/list.ts';
import { addOrgShowCommand } from './org/show.ts';

/** `seathold org …`: the vendor's customers. */
export function addOrgCommand(program: Command): void {
  const org = program.command('org').description("Manage your customers' organizations.");
  addOrgListCommand(org);
  addOrgShowCommand(org);
  addOrgCreateCommand(org);
  addOrgChangeCommands(org);
  addOrgDeleteCommand(org);
}
