import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import type { Outcome } from './import-tools.ts';
import type { Kind } from './row-schemas.ts';

/** The number of rows by kind and outcome. */
export type Totals = Record<Kind, Record<Outcome | 'failed', number>>;

/** The progress of an import. */
export interface ProgressRecord {
  /** The file and service: with another file or service, the import begins again. */
  identity: string;
  /** All records beginning on or before this line have been processed. */
  line: number;
  /** Later lines that were processed before it. */
  finished: number[];
  totals: Totals;
}

/** Stores the progress of an import next to its file, so that a killed one can resume. */
export class ProgressFile {
  readonly path: string;
  #isWritable = true;

  constructor(path: string) {
    this.path = `${path}.progress`;
  }

  /** The progress of a killed import of the same file into the same service. */
  async read(identity: string): Promise<ProgressRecord | undefined> {
    const text = await readFile(this.path, 'utf8').catch(() => '');
    const record = parse(text);
    return record?.identity === identity ? record : undefined;
  }

  /** Writes it atomically. If the folder is read-only, a second run compares every row again. */
  async write(record: ProgressRecord): Promise<void> {
    if (!this.#isWritable) {
      return;
    }
    try {
      await writeFile(`${this.path}.new`, `${JSON.stringify(record)}\n`);
      await rename(`${this.path}.new`, this.path);
    } catch {
      this.#isWritable = false;
    }
  }

  async remove(): Promise<void> {
    await rm(this.path, { force: true });
  }
}

/** Nothing done yet. */
export function noTotals(): Totals {
  const none = () => ({ created: 0, updated: 0, unchanged: 0, failed: 0 });
  return { organization: none(), user: none(), license: none() };
}

function parse(text: string): ProgressRecord | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
