import { parseFeatureValue } from '../parse-feature.ts';

/**
 * Converts a CSV record to the form of a JSON line: `features.layers` becomes a member of `features`, and cells become
 * numbers, lists and so on according to their column. Empty cells are omitted.
 */
export function nestCells(columns: readonly string[], cells: readonly string[]): Record<string, unknown> {
  const record: Record<string, unknown> = {};
  for (const [index, column] of columns.entries()) {
    const cell = cells[index] ?? '';
    if (cell === '') {
      continue;
    }
    const dot = column.indexOf('.');
    if (dot === -1) {
      record[column] = parseCell(column, cell);
    } else {
      const group = column.slice(0, dot);
      const members = (record[group] ?? Object.create(null)) as Record<string, unknown>;
      members[column.slice(dot + 1)] = parseCell(`${group}.*`, cell);
      record[group] = members;
    }
  }
  return record;
}

function parseCell(column: string, cell: string): unknown {
  switch (column) {
    case 'max_seats':
      return /^\d+$/.test(cell) ? Number(cell) : cell;
    case 'key_aliases':
      return cell.split(';').map((alias) => alias.trim());
    case 'features.*':
    case 'policy.*':
      return parseFeatureValue(cell);
    default:
      return cell;
  }
}
