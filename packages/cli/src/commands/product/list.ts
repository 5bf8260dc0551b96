import type { Command } from 'commander';
import { addListOptions, type ListOptions } from '../../operator/options.ts';
import { withOperator } from '../../operator/with-operator.ts';
import { pageSize, printList } from '../../printing/print-list.ts';

/** `seathold product list`: every product with its features. */
export function addProductListCommand(product: Command): void {
  addListOptions(product.command('list').description('List the products and their features.')).action(list);
}

function list(options: ListOptions): Promise<void> {
  return withOperator(options, (client) =>
    printList(client.operator.listProducts({ limit: pageSize(options) }), options, {
      columns: [
        { title: 'KEY', value: ({ key }) => key },
        { title: 'NAME', value: ({ name }) => name, canShrink: true },
        {
          title: 'FEATURES',
          value: ({ features }) =>
            Object.entries(features)
              .map(([key, { type }]) => (type === 'boolean' ? key : `${key} (${type})`))
              .join(', '),
          canShrink: true,
        },
      ],
      empty: 'No products.',
    }),
  );
}
