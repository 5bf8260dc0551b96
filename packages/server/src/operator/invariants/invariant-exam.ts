import type { Pause } from '../../clock/index.ts';
import type { Queries } from '../../database/index.ts';
import type { Finding } from '../finding.ts';
import type { Exam, ExaminedRow, RowKey } from './subject-queries.ts';

/**
 * Checks all rows of one invariant, in portions, each in one statement and so in one snapshot of the database. A
 * running service may be in the middle of a change, so rows with a fault are checked again after a pause, and only
 * reported if the fault persists. It remembers a bounded number of rows.
 */
export class InvariantExam {
  readonly #database: Queries;
  readonly #exam: Exam;
  readonly #settings: { retentionDays: number; pause: Pause };
  #examined = 0;
  #suspects: RowKey[] = [];
  #faultCount = 0;
  readonly #faults: string[] = [];

  constructor(database: Queries, exam: Exam, settings: { retentionDays: number; pause: Pause }) {
    this.#database = database;
    this.#exam = exam;
    this.#settings = settings;
  }

  async run(): Promise<Finding> {
    let after: RowKey | undefined = FIRST;
    while (after !== undefined) {
      after = await this.#examinePortion(after);
      if (after === undefined || this.#suspects.length >= SUSPECTS) {
        await this.#lookAgain();
      }
    }
    return this.#finding();
  }

  /** Returns the last row of the portion; undefined if there are no more. */
  async #examinePortion(after: RowKey): Promise<RowKey | undefined> {
    const limit = this.#exam.portion;
    const rows = await this.#exam.examineNext(this.#database, {
      afterOrganization: after.organization,
      afterId: after.id,
      retentionDays: this.#settings.retentionDays,
      limit,
    });
    const examined = rows[0]?.examined ?? 0;
    this.#examined += examined;
    this.#suspects.push(...rows.filter(isFaulty));
    return examined < limit ? undefined : rows.at(-1);
  }

  async #lookAgain(): Promise<void> {
    if (this.#suspects.length === 0) {
      return;
    }
    await this.#settings.pause(SECOND_LOOK_AFTER_MS);
    const { portion } = this.#exam;
    for (let start = 0; start < this.#suspects.length; start += portion) {
      const rows = await this.#exam.examineAgain(this.#database, {
        chosen: this.#suspects.slice(start, start + portion),
        retentionDays: this.#settings.retentionDays,
      });
      const faults = rows.filter(isFaulty);
      this.#faultCount += faults.length;
      this.#faults.push(...faults.slice(0, FAULTS_TOLD - this.#faults.length).map(describe));
    }
    this.#suspects = [];
  }

  #finding(): Finding {
    const check = this.#exam.promise;
    return this.#faultCount === 0
      ? { check, ok: true, detail: `${this.#examined} checked` }
      : { check, ok: false, detail: `${this.#faultCount} of ${this.#examined} are wrong`, faults: this.#faults };
  }
}

/** No key sorts before the empty ones. */
const FIRST: RowKey = { organization: '', id: '' };
/** Longer than any single operation of the service. */
const SECOND_LOOK_AFTER_MS = 2_000;
const FAULTS_TOLD = 100;
/** The maximum number of rows checked again after one pause. */
const SUSPECTS = 10_000;

function isFaulty(row: ExaminedRow): boolean {
  return row.fault !== null;
}

function describe({ organization, id, fault }: ExaminedRow): string {
  return `${id}${organization === '' ? '' : ` of ${organization}`}: ${fault}`;
}
