import type { Command } from 'commander';
import { addLicenseEndCommands } from './license/end.ts';
import { addLicenseIssueCommand } from './license/issue.ts';
import { addLicenseListCommand } from './license/list.ts';
import { addLicenseShowCommand } from './license/show.ts';
import { addLicenseTermCommands } from './license/terms-of-one.ts';
import { addLicenseUpdateCommand } from './license/update.ts';

/** `seathold license …`: manages licenses for the operator. */
export function addLicenseCommand(program: Command): void {
  const license = program.command('license').description('Issue and change licenses.');
  addLicenseListCommand(license);
  addLicenseShowCommand(license);
  addLicenseIssueCommand(license);
  addLicenseUpdateCommand(license);
  addLicenseEndCommands(license);
  addLicenseTermCommands(license);
}
