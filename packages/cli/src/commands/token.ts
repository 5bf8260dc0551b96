import type { Command } from 'commander';
import { addTokenSubcommands } from './operator/token.ts';

/** `seathold token …`, which is `seathold operator token …` for those who type it often. */
export function addTokenCommand(program: Command): void {
  addTokenSubcommands(program.command('token'));
}
