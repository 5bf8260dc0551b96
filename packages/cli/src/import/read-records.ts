import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { CsvError, type Info, parse } from 'csv-parse';
import { CommandFailure } from '../command-failure.ts';
import { nestCells } from './nest-cells.ts';
import { readLines } from './read-lines.ts';

/** One record of a file and the line on which it begins, or why it cannot be read. */
export type FileRecord = { line: number; problem?: undefined; value: unknown } | { line: number; problem: string };

export type Format = 'csv' | 'jsonl';

/** The records of a file one after the other, with only a few in memory. */
export function readRecords(path: string, format: Format, columns: ReadonlySet<string>): AsyncGenerator<FileRecord> {
  return format === 'csv' ? readCsv(path, columns) : readJsonLines(path);
}

/** The format by a file's name. */
export function formatOf(path: string): Format {
  const ending = /\.(csv|jsonl|ndjson)$/i.exec(path)?.[1]?.toLowerCase();
  if (ending === undefined) {
    throw new CommandFailure('invalid_argument', `${path} does not end in .csv or .jsonl. Specify its --format.`);
  }
  return ending === 'csv' ? 'csv' : 'jsonl';
}

async function* readJsonLines(path: string): AsyncGenerator<FileRecord> {
  for await (const { line, text } of readLines(path, MAX_RECORD)) {
    if (text === undefined) {
      yield { line, problem: `is longer than ${MAX_RECORD} bytes` };
    } else if (text.trim() !== '') {
      yield parseLine(line, text);
    }
  }
}

function parseLine(line: number, text: string): FileRecord {
  try {
    return { line, value: JSON.parse(text) };
  } catch {
    return { line, problem: 'is not JSON' };
  }
}

/** Spreadsheets write a byte order mark and, in locales with a decimal comma, semicolons. */
async function* readCsv(path: string, known: ReadonlySet<string>): AsyncGenerator<FileRecord> {
  const parser = parse({
    bom: true,
    delimiter: await findDelimiter(path),
    info: true,
    max_record_size: MAX_RECORD,
    relax_column_count: true,
    skip_empty_lines: true,
    trim: true,
  });
  // Errors of the file arrive at the parser's reader below.
  pipeline(createReadStream(path), parser, () => undefined);
  let columns: readonly string[] | undefined;
  let line = 1;
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: Info }>) {
      const begins = line;
      line = info.lines + 1;
      if (columns === undefined) {
        columns = requireColumns(record, known);
      } else if (record.length > columns.length) {
        yield {
          line: begins,
          problem: `has ${record.length} cells, but the first line names ${columns.length} columns`,
        };
      } else if (record.some((cell) => cell !== '')) {
        yield { line: begins, value: nestCells(columns, record) };
      }
    }
  } catch (error) {
    if (!(error instanceof CsvError)) {
      throw error;
    }
    // After an unclosed quote, the next record cannot be determined.
    yield { line, problem: `is not valid CSV, so the rest of the file cannot be read: ${error.message}` };
  }
}

/** The usual delimiter that is most frequent in the first line, because column names contain none. */
async function findDelimiter(path: string): Promise<string> {
  for await (const { text = '' } of readLines(path, MAX_RECORD)) {
    const counted = [',', ';', '\t'].map((mark) => ({ mark, count: text.split(mark).length }));
    return counted.toSorted((one, other) => other.count - one.count)[0]?.mark ?? ',';
  }
  return ',';
}

/** An unknown column is a typo, or data that the vendor believes to have imported. */
function requireColumns(names: readonly string[], known: ReadonlySet<string>): readonly string[] {
  const unknown = names.filter((name) => !known.has(name) && !known.has(name.replace(/\..*/s, '.*')));
  if (unknown.length > 0) {
    const list = unknown.map((name) => JSON.stringify(name)).join(', ');
    throw new CommandFailure('validation_failed', `Unknown columns: ${list}. Known columns: ${[...known].join(', ')}.`);
  }
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) {
    throw new CommandFailure('validation_failed', `The column ${JSON.stringify(twice)} appears twice.`);
  }
  return names;
}

/** The API accepts less in one request. */
const MAX_RECORD = 262_144;
