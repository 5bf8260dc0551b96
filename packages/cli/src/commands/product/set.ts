import { NotFoundError, type Product, type ReplaceProductBody, type Seathold } from '@seathold/client';
import { type Command, InvalidArgumentError } from 'commander';
import { addOperatorOptions, type OperatorOptions } from '../../operator/options.ts';
import { printRecord } from '../../operator/print-record.ts';
import { withOperator } from '../../operator/with-operator.ts';

type Feature = ReplaceProductBody['features'][string];

interface SetOptions extends OperatorOptions {
  name?: string;
  feature?: ReadonlyArray<readonly [string, Feature]>;
  removeFeature?: readonly string[];
}

/** `seathold product set`: creates a product, or changes what is named of it. */
export function addProductSetCommand(product: Command): void {
  addOperatorOptions(
    product
      .command('set')
      .description('Create a product, or change it. What you do not name stays as it is.')
      .argument('<key>', 'the key of the product, which licenses and plans name')
      .option('--name <name>', 'its name (default for a new one: the key)')
      .option(
        '--feature <key=type...>',
        'a feature that its licenses can have: boolean, number or string, with a name if you like: projects=number:Projects',
        addFeature,
      )
      .option('--remove-feature <key...>', 'a feature that its licenses can no longer have'),
  )
    .addHelpText(
      'after',
      '\nExample:\n  $ seathold product set studio --name "Studio" --feature render_farm=boolean projects=number:Projects',
    )
    .action(set);
}

function set(key: string, options: SetOptions): Promise<void> {
  return withOperator(options, async (client) => {
    const present = await findProduct(client, key);
    const removed = options.removeFeature ?? [];
    const kept = Object.entries(present?.features ?? {}).filter(([name]) => !removed.includes(name));
    const body = {
      name: options.name ?? present?.name ?? key,
      features: Object.fromEntries([...kept, ...(options.feature ?? [])]),
      policy: present?.policy ?? {},
    };
    printRecord(await client.operator.replaceProduct(key, body), options);
  });
}

async function findProduct(client: Seathold, key: string): Promise<Product | undefined> {
  try {
    return await client.operator.getProduct(key);
  } catch (error) {
    if (error instanceof NotFoundError && error.has('not_found')) {
      return undefined;
    }
    throw error;
  }
}

function addFeature(text: string, before: SetOptions['feature'] = []): SetOptions['feature'] {
  const [, key, type, name] = /^([^=:]+)(?:=(boolean|number|string)(?::(.+))?)?$/.exec(text) ?? [];
  if (key === undefined) {
    throw new InvalidArgumentError('It must be key=type, where the type is boolean, number or string.');
  }
  return [...(before ?? []), [key, { type: readType(type), ...(name === undefined ? {} : { name }) }]];
}

function readType(text: string | undefined): Feature['type'] {
  return text === 'number' || text === 'string' ? text : 'boolean';
}
