import { many, maybeOne, one, type Queries, statement } from '../database/index.ts';
import { beginsWith, defineList, filterBy, type ListPage, type PageRequest, sortBy } from '../http/index.ts';

/** A user as shown to the vendor's staff, without facts of other rooms. */
export interface OperatedUserRow {
  id: string;
  email: string;
  name: string;
  is_verified: boolean;
  is_locked: boolean;
  last_login_at: Date | null;
  created_at: Date;
}

/** Read once, so that PostgreSQL can compare it with an index. */
const NOW = '(select clock_timestamp())';

const SELECT = `select u.id, u.email, u.name, u.email_verified_at is not null as is_verified,
    coalesce(u.locked_until > ${NOW}, false) as is_locked, u.last_login_at, u.created_at
  from users u where u.deleted_at is null`;

/** In this collation, the same index sorts addresses and finds those that begin with a text. */
const EMAIL = 'u.email collate "C"';

const NAME = 'lower(u.name) collate "C"';

/** The sorts and filters of both lists. */
const USERS = {
  returns: many<OperatedUserRow>(),
  defaultSort: '-created_at',
  sorts: {
    created_at: sortBy.time('u.created_at'),
    email: sortBy.text(EMAIL, (row: OperatedUserRow) => row.email),
  },
  filters: {
    query: {
      kind: 'text',
      type: 'text',
      condition: (text: string) => `${beginsWith(EMAIL, text)} or ${beginsWith(NAME, text)} or u.id = ${text}`,
      encode: (text: string) => text.trim(),
    },
    is_locked: filterBy.cases({
      // PostgreSQL has statistics for `is not null`, so it knows that few users are locked.
      true: `u.locked_until is not null and u.locked_until > ${NOW}`,
      false: `(u.locked_until is null or u.locked_until <= ${NOW})`,
    }),
    ...filterBy.createdWithin('u.created_at'),
  },
  id: 'u.id',
} as const;

/** All users. */
export const OPERATED_USER_LIST = defineList({
  ...USERS,
  name: 'list_operated_users',
  sql: (_, { page }) => `${SELECT} and ${page}`,
});

/** The users with these IDs. */
const NAMED_USER_LIST = defineList({
  ...USERS,
  name: 'list_named_users',
  parameters: { ids: 'text[]' },
  sql: ({ ids }, { page }) => `${SELECT} and u.id = any(${ids}) and ${page}`,
});

/**
 * The IDs of the users matching a query, or null if there are more than `limit`. PostgreSQL cannot estimate how many
 * there are, because it keeps no statistics in this collation. If there are few, finding them in the order of creation
 * dates reads the whole table.
 */
const findUsersByQuery = statement({
  name: 'find_users_by_query',
  parameters: { text: 'text', limit: 'integer' },
  returns: one<{ ids: readonly string[] | null }>(),
  sql: ({ text, limit }) => `
    select case when count(*) <= ${limit} then coalesce(array_agg(id), '{}') end as ids
    from (
      select u.id from users u where u.deleted_at is null and u.id = ${text}
      union
      (select u.id from users u where u.deleted_at is null and ${beginsWith(EMAIL, text)}
        order by ${EMAIL}, u.id limit ${limit} + 1)
      union
      (select u.id from users u where u.deleted_at is null and ${beginsWith(NAME, text)}
        order by ${NAME} limit ${limit} + 1)
    ) found`,
});

/** A page of all users. */
export async function listUsersOfAll(queries: Queries, page: PageRequest): Promise<ListPage<OperatedUserRow>> {
  const { query, ...filters } = page.filters;
  const ids = query === undefined ? null : (await findUsersByQuery(queries, { text: query.trim(), limit: FEW })).ids;
  return ids === null
    ? OPERATED_USER_LIST.getPage(queries, page, {}, (row) => row)
    : NAMED_USER_LIST.getPage(queries, { ...page, filters }, { ids }, (row) => row);
}

/** Among a million, sorting this many takes about as long as finding a page of a larger number by the index. */
const FEW = 1_000;

export const findOperatedUser = statement({
  name: 'find_operated_user',
  parameters: { userId: 'text' },
  returns: maybeOne<OperatedUserRow>(),
  sql: ({ userId }) => `${SELECT} and u.id = ${userId}`,
});

/** Records a complete login. The caller holds the user's row, or has just created it. */
export const updateLastLogin = statement({
  name: 'update_last_login',
  parameters: { userId: 'text' },
  sql: ({ userId }) => `update users set last_login_at = clock_timestamp() where id = ${userId}`,
});
