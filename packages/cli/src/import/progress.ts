import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import type { Outcome } from './import-tools.ts';
import type { Kind } from './row-schemas.ts';

/** How many rows of a kind came to what. */
export type Totals = Record<Kind, Record<Outcome | 'failed', number>>;

/** How far an import has come. */
export interface ProgressRecord {
  /** What is imported, and where: another file, or another service, begins again. */
  identity: string;
  /** Every record that begins on this line or before it has been worked off. */
  line: number;
  /** Later lines that were worked off before it. */
  finished: number[];
  totals: Totals;
}

/** Keeps next to the file how far its import has come, so that one that was killed continues. */
export class ProgressFile {
  readonly path: string;
  #isWritable = true;

  constructor(path: string) {
    this.path = `${path}.progress`;
  }

  /** What a killed import of the same file into the same service has left. */
  async read(identity: string): Promise<ProgressRecord | undefined> {
    const text = await readFile(this.path, 'utf8').catch(() => '');
    const record = parse(text);
    return record?.identity === identity ? record : undefined;
  }

  /** Writes it whole or not at all. Where the folder is read-only, a second run compares every row again. */
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
