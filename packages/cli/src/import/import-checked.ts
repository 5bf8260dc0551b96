import { findOperatorUrl } from '../access/find-operator-access.ts';
import type { OperatorOptions } from '../operator/options.ts';
import { withOperator } from '../operator/with-operator.ts';
import type { ImportedFile } from './check-file.ts';
import { KnownProducts } from './known-products.ts';
import { OrganizationIds } from './organization-ids.ts';
import { OrganizationPeople } from './organization-people.ts';
import { Pace } from './pace.ts';
import { noTotals, ProgressFile, type Totals } from './progress.ts';
import type { Report } from './report.ts';
import { runImport } from './run-import.ts';

interface Options extends OperatorOptions {
  isDryRun: boolean;
  concurrency: number;
  restart?: boolean;
}

/** A validated file, which only the service can still refuse. */
interface CheckedFile {
  file: ImportedFile;
  rows: number;
  report: Report;
  hash: string;
}

/** Imports a validated file, and resumes an interrupted import. */
export async function importChecked(options: Options, { file, rows, report, hash }: CheckedFile): Promise<Totals> {
  const { isDryRun, concurrency, restart = false } = options;
  const keeper = isDryRun ? undefined : new ProgressFile(file.path);
  const place = findOperatorUrl(options) ?? (options.sandbox === true ? 'sandbox' : 'production');
  const identity = [hash, file.format, file.kind, place].join(' ');
  const kept = restart ? undefined : await keeper?.read(identity);
  if (kept !== undefined) {
    report.note(`Continuing after line ${kept.line}, where the last import of this file was interrupted.`);
  }
  const progress = kept ?? { identity, line: 0, finished: [], totals: noTotals() };
  await withOperator(options, async (client) => {
    const pace = new Pace();
    const tools = {
      client,
      pace,
      organizations: new OrganizationIds(client, pace),
      people: new OrganizationPeople(client, pace),
      products: new KnownProducts(client, pace),
      isDryRun,
    };
    await runImport(tools, { file, rows, concurrency, report, progress, keeper });
  });
  await keeper?.remove();
  return progress.totals;
}
