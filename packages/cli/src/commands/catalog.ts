import type { CatalogueChange } from '@seathold/client';
import { type Command, Option } from 'commander';
import { findOperatorUrl } from '../access/find-operator-access.ts';
import { CommandFailure } from '../command-failure.ts';
import { addOperatorOptions, type OperatorOptions } from '../operator/options.ts';
import { withOperator } from '../operator/with-operator.ts';
import { print } from '../output.ts';
import { readInput } from '../terminal/read-input.ts';
import { withInstallation } from '../with-installation.ts';

interface ApplyOptions extends OperatorOptions {
  dryRun?: boolean;
  production?: boolean;
}

type EnvironmentName = 'production' | 'sandbox';
type Change = Awaited<
  ReturnType<typeof import('@seathold/server/operator/manage-catalogue').operatorApplyCatalogue>
>[number];

/** `seathold catalog …`: the plans, coupons and meters that the operator sells. */
export function addCatalogCommand(program: Command): void {
  const catalog = program.command('catalog').description('Manage the plans, coupons, and meters that you sell.');
  addApply(catalog);
  addCheck(catalog);
  addOperatorOptions(
    catalog.command('show').description('Print the current catalogue as a file for `seathold catalog apply`.'),
  ).action(show);
}

function addApply(catalog: Command): void {
  addOperatorOptions(
    catalog
      .command('apply')
      .argument('<file>', 'the catalogue, a YAML or JSON file')
      .description(
        'Apply a catalogue file in production and, if it is on, in the sandbox, and print the changes. With --url, apply it to that service only. Prices of items already sold cannot be changed.',
      )
      .option('--dry-run', 'print the changes without applying them')
      .addOption(new Option('--production', 'on the server: apply to production only').conflicts('sandbox')),
  )
    .addHelpText(
      'after',
      '\nUse - to read the file from standard input.\n\nExample:\n  $ seathold catalog apply catalogue.yaml --dry-run',
    )
    .action(apply);
}

function addCheck(catalog: Command): void {
  addOperatorOptions(
    catalog
      .command('check')
      .argument('<file>', 'the catalogue, a YAML or JSON file')
      .description(
        'Check a catalogue file without applying it. With --url, also check it against what that service has sold.',
      ),
  )
    .addHelpText('after', '\nExample:\n  $ seathold catalog check catalogue.yaml')
    .action(check);
}

const catalogues = () => import('@seathold/server/operator/manage-catalogue');

async function show(options: OperatorOptions): Promise<void> {
  if (findOperatorUrl(options) !== undefined) {
    const { operatorFormatCatalogueFile } = await catalogues();
    return withOperator(options, async (client) => {
      const catalogue = await client.operator.getCatalog();
      print(options.json === true, catalogue, [operatorFormatCatalogueFile(catalogue).trimEnd()]);
    });
  }
  await withInstallation(catalogues, options.sandbox === true, async (operator, installation) => {
    const { yaml, catalogue } = await operator.operatorShowCatalogue(installation);
    print(options.json === true, catalogue, [yaml.trimEnd()]);
  });
}

async function check(path: string, options: OperatorOptions): Promise<void> {
  const text = await readCatalogue(path, options);
  const { operatorParseCatalogue } = await catalogues();
  const { plans } = operatorParseCatalogue(text);
  if (findOperatorUrl(options) !== undefined) {
    return applyByApi(text, { ...options, dryRun: true });
  }
  print(options.json === true, { valid: true, plans: plans.length }, [
    `The file is valid and has ${plans.length} plans.`,
  ]);
}

async function readCatalogue(path: string, options: OperatorOptions): Promise<string> {
  if (path === '-' && options.tokenStdin === true) {
    throw new CommandFailure('invalid_argument', 'Standard input can contain either the token or the file, not both.');
  }
  return decode(await readInput(path));
}

/** The file is checked here first, where every mistake can be reported with its line. */
async function applyByApi(text: string, options: ApplyOptions): Promise<void> {
  const { operatorParseCatalogueFile } = await catalogues();
  const catalogue = operatorParseCatalogueFile(text);
  const dryRun = options.dryRun === true;
  await withOperator(options, async (client) => {
    const done = await client.operator.replaceCatalog(catalogue, { dry_run: dryRun ? 'true' : 'false' });
    print(options.json === true, done, describe(findOperatorUrl(options) ?? '', done.changes, dryRun));
  });
}

async function apply(path: string, options: ApplyOptions): Promise<void> {
  const text = await readCatalogue(path, options);
  if (findOperatorUrl(options) !== undefined) {
    return applyByApi(text, options);
  }
  const environments = await environmentsOf(options);
  // Both are checked before either is changed, so that a refusal of one does not leave the other changed.
  const foreseen = await applyTo(environments, text, true);
  const done = options.dryRun === true ? foreseen : await applyTo(environments, text, false);
  const lines = done.flatMap(({ environment, changes }) => describe(environment, changes, options.dryRun === true));
  print(options.json === true, { dry_run: options.dryRun === true, environments: done }, lines);
}

async function environmentsOf({ sandbox, production }: ApplyOptions): Promise<readonly EnvironmentName[]> {
  if (sandbox === true) {
    return ['sandbox'];
  }
  const { listEnvironments } = await import('@seathold/server/operator/connect-installation');
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

/** Other encodings would be read as text with replacement characters. */
function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new CommandFailure('unreadable_file', 'The file is not UTF-8 text.');
  }
}

function describe(place: string, changes: ReadonlyArray<Change | CatalogueChange>, isDryRun: boolean): string[] {
  if (changes.length === 0) {
    return [`${place}: no changes`];
  }
  const lines = changes.flatMap(({ kind, key, action, fields }) => [
    `  ${SIGNS[action]} ${kind} ${key} ${action}`,
    ...fields.map(({ field, before, after }) =>
      action === 'added'
        ? `      ${field}: ${JSON.stringify(after)}`
        : `      ${field}: ${JSON.stringify(before)} → ${JSON.stringify(after)}`,
    ),
  ]);
  return [`${place}: ${changes.length} ${isDryRun ? 'to change' : 'changed'}`, ...lines];
}

const SIGNS: Readonly<Record<Change['action'], string>> = {
  added: '+',
  changed: '~',
  archived: '-',
  revived: '+',
  removed: '-',
};
