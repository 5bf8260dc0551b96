import type { Totals } from './progress.ts';

/** The fault of a line. */
export interface LineError {
  line: number;
  field: string;
  message: string;
  /** The code of the API, if the service refused the row. */
  code?: string;
}

/** Reports progress on standard error, so that standard output has only the result. */
export class Report {
  readonly #path: string;
  readonly #asJson: boolean;
  #lastShown = 0;

  constructor(path: string, asJson: boolean) {
    this.#path = path;
    this.#asJson = asJson;
  }

  /** One line per error: `customers.csv:12: max_seats must be integer.` */
  readonly error = (error: LineError): void => {
    this.#clear();
    const text = this.#asJson ? JSON.stringify(error) : `${this.#path}:${error.line}: ${error.message}`;
    process.stderr.write(`${text}\n`);
  };

  /** Shows the progress on a terminal. */
  progress(done: number, of: number): void {
    if (process.stderr.isTTY !== true || this.#asJson || performance.now() - this.#lastShown < REDRAW_MS) {
      return;
    }
    this.#lastShown = performance.now();
    process.stderr.write(`\r\u001b[K${done} of ${of} lines`);
  }

  note(text: string): void {
    this.#clear();
    if (!this.#asJson) {
      process.stderr.write(`${text}\n`);
    }
  }

  #clear(): void {
    if (process.stderr.isTTY === true && this.#lastShown > 0) {
      process.stderr.write('\r\u001b[K');
    }
  }
}

const REDRAW_MS = 200;

/** The result for people. */
export function describeTotals(totals: Totals, isDryRun: boolean): string[] {
  const lines = Object.entries(totals).flatMap(([kind, { created, updated, unchanged, failed }]) =>
    created + updated + unchanged + failed === 0
      ? []
      : [`${`${kind}s`.padEnd(14)}${created} created, ${updated} updated, ${unchanged} unchanged, ${failed} failed`],
  );
  return isDryRun ? ['Nothing was changed. An import would produce:', ...lines] : lines;
}
