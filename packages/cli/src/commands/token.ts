import type { Command } from 'commander';
import { addTokenSubcommands } from './operator/token.ts';

/** `seathold token …`, a short form of `seathold operator token …`. */
export function addTokenCommand(program: Command): void {
  addTokenSubcommands(program.command('token'));
}
