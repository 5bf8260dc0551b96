import { ConflictError, InvalidRequestError, NotFoundError, SeatholdError, ValidationError } from '@seathold/client';
import { type ImportedFile, readRows } from './check-file.ts';
import { importLicense } from './import-license.ts';
import { importOrganization } from './import-organization.ts';
import type { ImportTools, Outcome } from './import-tools.ts';
import { importUser } from './import-user.ts';
import { OrderedWork } from './ordered-work.ts';
import { nameOf } from './parse-row.ts';
import type { ProgressFile, ProgressRecord } from './progress.ts';
import type { LineError, Report } from './report.ts';
import { RowRefused } from './row-refused.ts';
import type { Row } from './row-schemas.ts';

/** The options of an import besides its tools. */
export interface ImportRun {
  file: ImportedFile;
  rows: number;
  /** Rows processed concurrently. */
  concurrency: number;
  report: Report;
  progress: ProgressRecord;
  /** Where the progress is stored; nowhere in a dry run. */
  keeper: ProgressFile | undefined;
}

/**
 * Processes the rows of a file, after the last line of an earlier run. Rows of an organization come after it, and rows
 * about the same resource in order; all others run concurrently. Rejects if it cannot continue, for example without
 * access.
 */
export async function runImport(tools: ImportTools, run: ImportRun): Promise<void> {
  const { progress, report } = run;
  const work = new OrderedWork(run.concurrency);
  const lines: Lines = { pending: new Set(), finished: new Set(progress.finished), last: progress.line };
  const halted: { by?: unknown } = {};
  let done = 0;
  const keep = every(KEEP_MS, () => keepProgress(run, lines));
  for await (const each of readRows(run.file)) {
    done += 1;
    if (each.line <= run.progress.line || lines.finished.has(each.line) || 'errors' in each) {
      // The file was already validated, and its faults were reported.
      continue;
    }
    const { line, row } = each;
    lines.pending.add(line);
    lines.last = line;
    await work.start({ name: nameOf(row), ...after(row) }, async () => {
      if (!('by' in halted) && (await settle(() => importRow(tools, row), run, each, halted))) {
        lines.pending.delete(line);
        lines.finished.add(line);
      }
    });
    report.progress(done, run.rows);
    if ('by' in halted) {
      break;
    }
    await keep();
  }
  await work.drained();
  await keepProgress(run, lines);
  if ('by' in halted) {
    throw halted.by;
  }
}

function importRow(tools: ImportTools, row: Row): Promise<Outcome> {
  switch (row.kind) {
    case 'organization':
      return importOrganization(tools, row);
    case 'user':
      return importUser(tools, row);
    case 'license':
      return importLicense(tools, row);
  }
}

function after(row: Row): { after?: string } {
  return row.kind === 'organization' ? {} : { after: `organization ${row.organization}` };
}

/** Counts the outcome of a row. Refusals of the service are reported. Other errors end the import, and return false. */
async function settle(
  begin: () => Promise<Outcome>,
  { progress, report }: ImportRun,
  { line, row }: { line: number; row: Row },
  halted: { by?: unknown },
): Promise<boolean> {
  try {
    const outcome = await begin();
    progress.totals[row.kind][outcome] += 1;
  } catch (error) {
    const refusal = describeRefusal(error);
    if (refusal === undefined) {
      halted.by ??= error;
      return false;
    }
    progress.totals[row.kind].failed += 1;
    report.error({ line, ...refusal });
  }
  return true;
}

function describeRefusal(error: unknown): Omit<LineError, 'line'> | undefined {
  if (error instanceof RowRefused) {
    return { field: error.field, message: error.message };
  }
  const isOfRow =
    error instanceof InvalidRequestError ||
    error instanceof ValidationError ||
    error instanceof ConflictError ||
    error instanceof NotFoundError;
  if (!isOfRow || !(error instanceof SeatholdError)) {
    return undefined;
  }
  const { field } = error.details;
  return { field: typeof field === 'string' ? field : '', message: error.message, code: error.code };
}

/** Lines in progress, lines finished out of order, and the last line begun. */
interface Lines {
  pending: Set<number>;
  finished: Set<number>;
  last: number;
}

async function keepProgress({ keeper, progress }: ImportRun, lines: Lines): Promise<void> {
  progress.line = lines.pending.size === 0 ? lines.last : Math.min(...lines.pending) - 1;
  for (const line of lines.finished) {
    if (line <= progress.line) {
      lines.finished.delete(line);
    }
  }
  progress.finished = [...lines.finished];
  await keeper?.write(progress);
}

/** Throttles a function. */
function every(milliseconds: number, act: () => Promise<void>): () => Promise<void> {
  let last = performance.now();
  return async () => {
    if (performance.now() - last >= milliseconds) {
      last = performance.now();
      await act();
    }
  };
}

const KEEP_MS = 1_000;
