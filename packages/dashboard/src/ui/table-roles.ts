/**
 * The roles of the elements of a table. In a narrow frame their `display` changes, from which some browsers derive roles.
 * They are spread, because Biome considers them redundant.
 */
export const ROLES = {
  table: { role: 'table' },
  group: { role: 'rowgroup' },
  row: { role: 'row' },
  head: { role: 'columnheader' },
  cell: { role: 'cell' },
  rowHead: { role: 'rowheader', scope: 'row' },
} as const;
