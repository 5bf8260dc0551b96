import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { CommandFailure } from '../command-failure.ts';
import { parseRow } from './parse-row.ts';
import { type Format, readRecords } from './read-records.ts';
import type { LineError } from './report.ts';
import { COLUMNS, type Kind, type Row } from './row-schemas.ts';

/** What is imported. */
export interface ImportedFile {
  path: string;
  format: Format;
  /** The kind of records without one. */
  kind: Kind | undefined;
}

/** The rows and errors of a file. */
export async function* readRows(
  file: ImportedFile,
): AsyncGenerator<{ line: number; row: Row } | { line: number; errors: LineError[] }> {
  for await (const record of readRecords(file.path, file.format, COLUMNS)) {
    const { line } = record;
    if (record.problem !== undefined) {
      yield { line, errors: [{ line, field: '', message: `The line ${record.problem}.` }] };
      continue;
    }
    const parsed = parseRow(record.value, file.kind);
    if (parsed.problems === undefined) {
      yield { line, row: parsed.row };
    } else {
      const errors = parsed.problems.map(({ field, problem }) => ({
        line,
        field,
        message: `${field === '' ? 'The line' : field} ${problem}.`,
      }));
      yield { line, errors };
    }
  }
}

/** Reads the whole file and reports all faults of its lines. Returns the number of rows and of invalid ones. */
export async function checkFile(
  file: ImportedFile,
  report: (error: LineError) => void,
): Promise<{ rows: number; wrong: number }> {
  const counts = { rows: 0, wrong: 0 };
  for await (const each of readRows(file)) {
    counts.rows += 1;
    if ('errors' in each) {
      counts.wrong += 1;
      for (const error of each.errors) {
        report(error);
      }
    }
  }
  return counts;
}

/** A hash of the file's content. Throws unreadable_file. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  try {
    await pipeline(createReadStream(path), hash);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandFailure('unreadable_file', `The file cannot be read: ${reason}`);
  }
  return hash.digest('hex');
}
