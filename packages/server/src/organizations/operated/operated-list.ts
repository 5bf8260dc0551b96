import { many, one, statement } from '../../database/index.ts';
import { beginsWith, defineList, filterBy, sortBy } from '../../http/index.ts';

/** An organization in the vendor's list, without facts of other rooms. */
export interface ListedRow {
  id: string;
  name: string;
  sort_name: string;
  is_suspended: boolean;
  external_id: string | null;
  member_count: number;
  created_at: Date;
}

/** In this collation, the same index sorts names and finds those that begin with a text. */
const NAME = 'lower(o.name) collate "C"';

/** The sorts and filters of both lists. */
const ORGANIZATIONS = {
  returns: many<ListedRow>(),
  defaultSort: '-created_at',
  sorts: { created_at: sortBy.time('o.created_at'), name: sortBy.text(NAME, (row: ListedRow) => row.sort_name) },
  filters: {
    query: {
      kind: 'text',
      type: 'text',
      condition: (text: string) => beginsWith(NAME, text),
      encode: (text: string) => text.trim(),
    },
    status: filterBy.cases({ active: 'o.suspended_at is null', suspended: 'o.suspended_at is not null' }),
    external_id: filterBy.text('o.external_id'),
    ...filterBy.createdWithin('o.created_at'),
  },
  id: 'o.id',
} as const;

const SELECT = `
    select o.id, o.name, ${NAME} as sort_name, o.suspended_at is not null as is_suspended, o.external_id,
      o.member_count, o.created_at
    from organizations o
    where o.deleted_at is null`;

/** All organizations. */
export const OPERATED_LIST = defineList({
  ...ORGANIZATIONS,
  name: 'list_operated_organizations',
  sql: (_, { page }) => `${SELECT} and ${page}`,
});

/** The organizations with these IDs. It is a separate statement, so that PostgreSQL always plans it as a look-up by ID. */
export const NAMED_LIST = defineList({
  ...ORGANIZATIONS,
  name: 'list_named_organizations',
  parameters: { ids: 'text[]' },
  sql: ({ ids }, { page }) => `${SELECT} and o.id = any(${ids}) and ${page}`,
});

/**
 * The IDs of the organizations whose names begin with a text, or null if there are more than `limit`. PostgreSQL cannot
 * estimate how many there are, because it keeps no statistics in this collation. If there are few, finding them in the
 * order of creation dates reads the whole table.
 */
export const findByBeginning = statement({
  name: 'find_organizations_by_beginning',
  parameters: { text: 'text', limit: 'integer' },
  returns: one<{ ids: readonly string[] | null }>(),
  sql: ({ text, limit }) => `
    select case when count(*) <= ${limit} then coalesce(array_agg(id), '{}') end as ids
    from (
      select o.id from organizations o where o.deleted_at is null and ${beginsWith(NAME, text)}
      order by ${NAME}, o.id limit ${limit} + 1
    ) found`,
});
