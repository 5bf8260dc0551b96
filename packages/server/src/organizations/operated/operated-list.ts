import { many } from '../../database/index.ts';
import { beginsWith, defineList, filterBy, sortBy } from '../../http/index.ts';

/** An organization as the vendor's list shows it, without what other rooms know of it. */
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

/** All organizations; those of `only` where it is given. */
export const OPERATED_LIST = defineList({
  name: 'list_operated_organizations',
  parameters: { only: 'text[] | null' },
  returns: many<ListedRow>(),
  defaultSort: '-created_at',
  sorts: { created_at: sortBy.time('o.created_at'), name: sortBy.text(NAME, (row: ListedRow) => row.sort_name) },
  filters: {
    query: {
      kind: 'text',
      type: 'text',
      condition: (text) => beginsWith(NAME, text),
      encode: (text) => text.trim(),
    },
    status: filterBy.cases({ active: 'o.suspended_at is null', suspended: 'o.suspended_at is not null' }),
    external_id: filterBy.text('o.external_id'),
    ...filterBy.createdWithin('o.created_at'),
  },
  id: 'o.id',
  sql: ({ only }, { page }) => `
    select o.id, o.name, ${NAME} as sort_name, o.suspended_at is not null as is_suspended, o.external_id,
      o.member_count, o.created_at
    from organizations o
    where o.deleted_at is null and (${only} is null or o.id = any(${only})) and ${page}`,
});
