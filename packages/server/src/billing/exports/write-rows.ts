import type { Cell, Columns } from './columns.ts';

export type ExportFormat = 'csv' | 'jsonl';

/** The first line of a file; none for JSON Lines, in which each row names its values. */
export function writeHeader(format: ExportFormat, columns: Columns<never>): string {
  return format === 'csv' ? csvLine(Object.keys(columns)) : '';
}

/** Rows as lines of a file. */
export function writeRows<Row>(format: ExportFormat, columns: Columns<Row>, rows: readonly Row[]): string {
  const entries = Object.entries(columns);
  const write =
    format === 'csv'
      ? (row: Row) => csvLine(entries.map(([, cellOf]) => cellOf(row)))
      : (row: Row) => `${JSON.stringify(Object.fromEntries(entries.map(([name, cellOf]) => [name, cellOf(row)])))}\n`;
  return rows.map(write).join('');
}

/** RFC 4180. */
function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(cell: Cell): string {
  if (cell === null || typeof cell === 'number') {
    return cell === null ? '' : String(cell);
  }
  // Customers choose names. A spreadsheet would run a name that begins like a formula; after an apostrophe it is text
  // (owasp.org/www-community/attacks/CSV_Injection). Some programs trim leading characters, or accept full-width signs.
  const text = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20|%]|^[\t\r\n]/.test(cell) ? `'${cell}` : cell;
  return /[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
