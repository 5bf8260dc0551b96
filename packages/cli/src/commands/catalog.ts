import { type Command, Option } from 'commander';
import { CommandFailure } from '../command-failure.ts';
import { print } from '../output.ts';
import { readInput } from '../terminal/read-input.ts';
import { withInstallation } from '../with-installation.ts';

interface ApplyOptions {
  dryRun?: boolean;
  sandbox?: boolean;
  production?: boolean;
  json?: boolean;
}

type EnvironmentName = 'production' | 'sandbox';
type Change = Awaited<
  ReturnType<typeof import('@seathold/server/operator/manage-catalogue').operatorApplyCatalogue>
>[number];

/** `seathold catalog …`: the plans, coupons and meters that the operator sells. */
export function addCatalogCommand(program: Command): void {
  const catalog = program.command('catalog').description('Manage the plans, coupons, and meters that you sell.');
  catalog
    .command('apply <file>')
    .description(
      'Apply a catalogue file in production and, if it is on, in the sandbox, and print the changes. A change to the price of something already sold is refused.',
    )
    .option('--dry-run', 'print the changes without applying them')
    .option('--sandbox', 'apply to the sandbox only')
    .addOption(new Option('--production', 'apply to production only').conflicts('sandbox'))
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nUse - to read the file from standard input.\n\nExample:\n  $ seathold catalog apply catalogue.yaml --dry-run',
    )
    .action(apply);
  catalog
    .command('show')
    .description('Print the current catalogue as a file for `seathold catalog apply`.')
    .option('--sandbox', 'use the sandbox instead of production')
    .option('--json', 'print JSON')
    .action(async (options: { sandbox?: boolean; json?: boolean }) => {
      await withInstallation(catalogues, options.sandbox === true, async (operator, installation) => {
        const { yaml, catalogue } = await operator.operatorShowCatalogue(installation);
        print(options.json === true, catalogue, [yaml.trimEnd()]);
      });
    });
}

const catalogues = () => import('@seathold/server/operator/manage-catalogue');

async function apply(path: string, options: ApplyOptions): Promise<void> {
  const text = decode(await readInput(path));
  const environments = await environmentsOf(options);
  // Both are asked before either is written, so that what one refuses is not half done.
  const foreseen = await applyTo(environments, text, true);
  const done = options.dryRun === true ? foreseen : await applyTo(environments, text, false);
  const lines = done.flatMap(({ environment, changes }) => describe(environment, changes, options.dryRun === true));
  print(options.json === true, { dry_run: options.dryRun === true, environments: done }, lines);
}

async function environmentsOf({ sandbox, production }: ApplyOptions): Promise<readonly EnvironmentName[]> {
  if (sandbox === true) {
    return ['sandbox'];
  }
  const { listEnvironments } = await import('@seathold/server/operator');
  return production === true ? ['production'] : listEnvironments(process.env);
}

async function applyTo(environments: readonly EnvironmentName[], text: string, dryRun: boolean) {
  const results: Array<{ environment: EnvironmentName; changes: readonly Change[] }> = [];
  for (const environment of environments) {
    await withInstallation(catalogues, environment === 'sandbox', async (operator, installation) => {
      const catalogue = operator.operatorParseCatalogue(text);
      results.push({ environment, changes: await operator.operatorApplyCatalogue(installation, catalogue, dryRun) });
    });
  }
  return results;
}

/** Other encodings would be read as text with marks in it that nobody wrote. */
function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new CommandFailure('unreadable_file', 'The file is not UTF-8 text.');
  }
}

function describe(environment: EnvironmentName, changes: readonly Change[], isDryRun: boolean): string[] {
  if (changes.length === 0) {
    return [`${environment}: no changes`];
  }
  const lines = changes.flatMap(({ kind, key, action, fields }) => [
    `  ${SIGNS[action]} ${kind} ${key} ${action}`,
    ...fields.map(({ field, before, after }) =>
      action === 'added'
        ? `      ${field}: ${JSON.stringify(after)}`
        : `      ${field}: ${JSON.stringify(before)} → ${JSON.stringify(after)}`,
    ),
  ]);
  return [`${environment}: ${changes.length} ${isDryRun ? 'to change' : 'changed'}`, ...lines];
}

const SIGNS: Readonly<Record<Change['action'], string>> = {
  added: '+',
  changed: '~',
  archived: '-',
  revived: '+',
  removed: '-',
};
