import { NotFoundError, type Product, type ReplaceProductBody, type Seathold } from '@seathold/client';
import { type Command, InvalidArgumentError } from 'commander';
import { CommandFailure } from '../../command-failure.ts';
import { addOperatorOptions, type OperatorOptions } from '../../operator/options.ts';
import { printRecord } from '../../operator/print-record.ts';
import { withOperator } from '../../operator/with-operator.ts';
import { addPair } from '../../parse-pair.ts';
import { parsePolicy } from '../license/parse-policy.ts';

type Feature = ReplaceProductBody['features'][string];

interface SetOptions extends OperatorOptions {
  name?: string;
  feature?: ReadonlyArray<readonly [string, Feature]>;
  removeFeature?: readonly string[];
  policy?: Record<string, string>;
}

/** `seathold product set`: creates a product, or changes the given fields. */
export function addProductSetCommand(product: Command): void {
  addOperatorOptions(
    product
      .command('set')
      .description('Create or change a product. Options that you omit stay unchanged.')
      .argument('<key>', 'the key of the product, which licenses and plans refer to')
      .option('--name <name>', 'the name (default for a new product: the key)')
      .option(
        '--feature <key=type...>',
        'a feature of its licenses: boolean, number, or string, optionally with a name, for example projects=number:Projects',
        addFeature,
      )
      .option('--remove-feature <key...>', 'a feature that its licenses can no longer have')
      .option(
        '--policy <name=value...>',
        'the policy of its licenses unless a plan or license overrides it, for example session_timeout=600; empty to restore the default',
        addPair,
      ),
  )
    .addHelpText(
      'after',
      '\nExample:\n  $ seathold product set studio --name "Studio" --feature render_farm=boolean projects=number:Projects',
    )
    .action(set);
}

async function set(key: string, options: SetOptions): Promise<void> {
  const { allowed_users: users, ...policy } = parsePolicy(options.policy ?? {});
  if (users !== undefined) {
    throw new CommandFailure('invalid_argument', 'A product has no allowed_users: only a license can name users.');
  }
  await withOperator(options, async (client) => {
    const present = await findProduct(client, key);
    const removed = options.removeFeature ?? [];
    const kept = Object.entries(present?.features ?? {}).filter(([name]) => !removed.includes(name));
    const body = {
      name: options.name ?? present?.name ?? key,
      features: Object.fromEntries([...kept, ...(options.feature ?? [])]),
      policy: withoutNulls({ ...present?.policy, ...policy }),
    };
    printRecord(await client.operator.replaceProduct(key, body), options);
  });
}

/** Null removes a value, so that the default applies again. */
function withoutNulls<Values extends object>(
  values: Values,
): { [Name in keyof Values]?: Exclude<Values[Name], null | undefined> };
function withoutNulls(values: object): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
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
