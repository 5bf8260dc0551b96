import type { Command } from 'commander';
import { addOperatorOptions, type OperatorOptions } from '../../operator/options.ts';
import { printRecord } from '../../operator/print-record.ts';
import { withOperator } from '../../operator/with-operator.ts';

/** `seathold product show`: one product. */
export function addProductShowCommand(product: Command): void {
  addOperatorOptions(product.command('show').description('Show a product with its features and its policy.'))
    .argument('<key>', 'the key of the product')
    .action((key: string, options: OperatorOptions) =>
      withOperator(options, async (client) => {
        printRecord(await client.operator.getProduct(key), options);
      }),
    );
}
