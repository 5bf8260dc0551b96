import type { Command } from 'commander';
import { addProductListCommand } from './product/list.ts';
import { addProductSetCommand } from './product/set.ts';
import { addProductShowCommand } from './product/show.ts';

/** `seathold product …`: products sold by the seat. */
export function addProductCommand(program: Command): void {
  const product = program.command('product').description('Manage the products that licenses and plans are for.');
  addProductListCommand(product);
  addProductShowCommand(product);
  addProductSetCommand(product);
}
