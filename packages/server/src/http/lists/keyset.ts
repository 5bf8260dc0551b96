import { type RawBuilder, sql } from 'kysely';
import type { PageRequest, SortType } from './list-definition.ts';

/** `where` clause: only what comes after the previous page, on (sort column, id), so that inserts shift nothing. */
export function afterCursor(page: PageRequest, column: string, idColumn = 'id'): RawBuilder<boolean> {
  if (page.after === undefined) {
    return sql<boolean>`true`;
  }
  const value = sql`${page.after.value}::${sql.raw(SQL_TYPES[page.sortType])}`;
  const comparison = sql.raw(page.descending ? '<' : '>');
  return sql<boolean>`(${sql.ref(column)}, ${sql.ref(idColumn)}) ${comparison} (${value}, ${page.after.id})`;
}

/** `order by` clause that goes with `afterCursor`. */
export function inOrder(page: PageRequest, column: string, idColumn = 'id'): RawBuilder<unknown> {
  const direction = sql.raw(page.descending ? 'desc' : 'asc');
  return sql`${sql.ref(column)} ${direction}, ${sql.ref(idColumn)} ${direction}`;
}

const SQL_TYPES: Readonly<Record<SortType, string>> = { time: 'timestamptz', text: 'text', integer: 'bigint' };
