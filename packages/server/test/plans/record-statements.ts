import pg from 'pg';
import { vi } from 'vitest';

/** A statement as sent, with the first request or job that caused it. */
export interface RecordedStatement {
  text: string;
  values: readonly unknown[];
  cause: string;
}

/** Records the statements that the application sends to PostgreSQL, by their text. */
export class StatementRecorder {
  readonly statements = new Map<string, RecordedStatement>();
  #cause: string | undefined;
  readonly #spy = vi.spyOn(pg.Client.prototype, 'query');

  /** Runs something and records its statements under its name. Outside of this nothing is recorded. */
  async during<T>(cause: string, work: () => Promise<T>): Promise<T> {
    this.#cause = cause;
    const before = this.#spy.mock.calls.length;
    try {
      return await work();
    } finally {
      for (const call of this.#spy.mock.calls.slice(before)) {
        this.#keep(call);
      }
      this.#cause = undefined;
    }
  }

  stop(): void {
    this.#spy.mockRestore();
  }

  /** The driver accepts a text with values, or both in an object. */
  #keep([first, second]: readonly unknown[]): void {
    const config = typeof first === 'object' && first !== null ? first : { text: first, values: second };
    const text = 'text' in config && typeof config.text === 'string' ? config.text : '';
    const values = 'values' in config && Array.isArray(config.values) ? config.values : [];
    if (!/^(begin|commit|rollback|)$/.test(text) && !this.statements.has(text)) {
      this.statements.set(text, { text, values, cause: this.#cause ?? '' });
    }
  }
}
