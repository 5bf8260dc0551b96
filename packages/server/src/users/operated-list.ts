import { many, maybeOne, statement } from '../database/index.ts';
import { beginsWith, defineList, filterBy, sortBy } from '../http/index.ts';

/** A user as the vendor's people see one, without what other rooms know. */
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

/** All users. */
export const OPERATED_USER_LIST = defineList({
  name: 'list_operated_users',
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
      condition: (text) =>
        `${beginsWith(EMAIL, text)} or ${beginsWith('lower(u.name) collate "C"', text)} or u.id = ${text}`,
      encode: (text) => text.trim(),
    },
    is_locked: filterBy.cases({
      true: `u.locked_until > ${NOW}`,
      false: `(u.locked_until is null or u.locked_until <= ${NOW})`,
    }),
    ...filterBy.createdWithin('u.created_at'),
  },
  id: 'u.id',
  sql: (_, { page }) => `${SELECT} and ${page}`,
});

export const findOperatedUser = statement({
  name: 'find_operated_user',
  parameters: { userId: 'text' },
  returns: maybeOne<OperatedUserRow>(),
  sql: ({ userId }) => `${SELECT} and u.id = ${userId}`,
});

/** Notes a complete login. The caller holds the user's row, or has just created it. */
export const updateLastLogin = statement({
  name: 'update_last_login',
  parameters: { userId: 'text' },
  sql: ({ userId }) => `update users set last_login_at = clock_timestamp() where id = ${userId}`,
});
