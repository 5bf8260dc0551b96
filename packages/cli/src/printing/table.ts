import { stripVTControlCharacters } from 'node:util';
import measure from 'fast-string-truncated-width';

/** One column of a table of `Item`s. */
export interface Column<Item> {
  title: string;
  value: (item: Item) => string | number | null;
  /** Numbers are right-aligned. */
  align?: 'right';
  /** Whether the text is truncated on a narrow terminal. Identifiers are not. */
  canShrink?: boolean;
}

/** No column is truncated to less than this. */
const LEAST_WIDTH = 8;
const GAP = '  ';
const ELLIPSIS = '…';

/**
 * A table that grows by pages: widths of the first page hold until a later one needs more. With a `width`, texts are
 * truncated and then columns omitted from the right, because wrapped rows are unreadable.
 */
export class Table<Item> {
  readonly #columns: ReadonlyArray<Column<Item>>;
  readonly #width: number | undefined;
  #widths: number[];
  #hasTitles = false;

  constructor(columns: ReadonlyArray<Column<Item>>, width: number | undefined) {
    this.#columns = columns;
    this.#width = width;
    this.#widths = columns.map(({ title }) => widthOf(title));
  }

  /** The lines of these items, after the titles if they are the first. */
  add(items: readonly Item[]): string[] {
    const rows = items.map((item) => this.#columns.map(({ value }) => visible(value(item))));
    this.#widths = this.#widths.map((width, index) => Math.max(width, ...rows.map((row) => widthOf(row[index] ?? ''))));
    const titles = this.#hasTitles ? [] : [this.#columns.map(({ title }) => title)];
    this.#hasTitles = true;
    const fitting = fit(this.#columns, this.#widths, this.#width);
    return [...titles, ...rows].map((row) => this.#line(row, fitting));
  }

  #line(row: readonly string[], widths: readonly number[]): string {
    const cells = widths.map((width, index) => pad(row[index] ?? '', width, this.#columns[index]?.align));
    return cells.join(GAP).trimEnd();
  }
}

/** The widths at which the columns fit into `available`; fewer columns if not all fit. */
function fit(
  columns: ReadonlyArray<Column<never>>,
  widths: readonly number[],
  available: number | undefined,
): readonly number[] {
  if (available === undefined) {
    return widths;
  }
  const kept = [...widths];
  while (lengthOf(kept) > available) {
    const widest = findWidest(columns, kept);
    if (widest !== undefined) {
      const excess = lengthOf(kept) - available;
      kept[widest] = Math.max(LEAST_WIDTH, (kept[widest] ?? 0) - excess);
    } else if (kept.length > 1) {
      // The width of an omitted column is returned to those that were truncated for it.
      return fit(columns, widths.slice(0, kept.length - 1), available);
    } else {
      return [available];
    }
  }
  return kept;
}

function findWidest(columns: ReadonlyArray<Column<never>>, widths: readonly number[]): number | undefined {
  const candidates = widths.flatMap((width, index) =>
    columns[index]?.canShrink === true && width > LEAST_WIDTH ? [{ width, index }] : [],
  );
  return candidates.sort((one, other) => other.width - one.width)[0]?.index;
}

function lengthOf(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, 0) + GAP.length * (widths.length - 1);
}

/** Truncated or padded to the width, in terminal cells: a Korean letter takes two. */
function pad(text: string, width: number, align: 'right' | undefined): string {
  const { index, ellipsed } = measure(text, { limit: width, ellipsis: ELLIPSIS, ellipsisWidth: 1 });
  const cut = ellipsed ? `${text.slice(0, index)}${ELLIPSIS}` : text.slice(0, index);
  const filling = ' '.repeat(Math.max(0, width - widthOf(cut)));
  return align === 'right' ? `${filling}${cut}` : `${cut}${filling}`;
}

function widthOf(text: string): number {
  return measure(text).width;
}

/** On one line, and without control sequences, because names come from customers. */
export function visible(value: string | number | null): string {
  if (value === null || value === '') {
    return '-';
  }
  return stripVTControlCharacters(String(value)).replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, ' ');
}

/** The cells per line; undefined without a terminal. */
export function terminalWidth(): number | undefined {
  return process.stdout.isTTY === true ? process.stdout.columns : undefined;
}
