import { many, maybeOne, statement } from '../../database/index.ts';
import type { StaffRole } from '../../http/index.ts';

/** An operator token as stored, without its secret. */
export interface OperatorTokenRow {
  id: string;
  name: string;
  role: StaffRole;
  prefix: string;
  created_at: Date;
  expires_at: Date | null;
  revoked_at: Date | null;
  revoked_because: 'command' | 'leak' | null;
  created_by: string | null;
  last_used_at: Date | null;
  is_expired: boolean;
}

/** What every request needs to know about its token. */
export interface PresentedTokenRow {
  id: string;
  role: StaffRole;
  expires_at: Date | null;
  is_revoked: boolean;
  is_expired: boolean;
  /** Whether the last use was noted more than a minute ago, or never. */
  is_note_due: boolean;
}

const IS_EXPIRED = '(expires_at is not null and expires_at <= clock_timestamp())';
const IS_NOTE_DUE = `(last_used_at is null or last_used_at < clock_timestamp() - interval '1 minute')`;
/** The fields of a token that are shown. */
export const OPERATOR_TOKEN_COLUMNS = `id, name, role, prefix, created_at, expires_at, revoked_at, revoked_because, created_by,
  last_used_at,  ${IS_EXPIRED} as is_expired`;

/** Inserts a token, unless it would have expired already. */
export const insertOperatorToken = statement({
  name: 'insert_operator_token',
  parameters: {
    id: 'text',
    hash: 'bytea',
    name: 'text',
    role: 'text',
    prefix: 'text',
    createdBy: 'text | null',
    expiresAt: 'timestamptz | null',
  },
  returns: maybeOne<OperatorTokenRow>(),
  sql: ({ id, hash, name, role, prefix, createdBy, expiresAt }) => `
    insert into operator_tokens (id, token_hash, name, role, prefix, created_by, created_at, expires_at)
    select ${id}, ${hash}, ${name}, ${role}, ${prefix}, ${createdBy}, n.t, ${expiresAt} from (select clock_timestamp() as t) n
    where ${expiresAt} is null or ${expiresAt} > n.t
    returning ${OPERATOR_TOKEN_COLUMNS}`,
});

/** The token with this hash, valid or not. */
export const findOperatorToken = statement({
  name: 'find_operator_token',
  parameters: { hash: 'bytea' },
  returns: maybeOne<PresentedTokenRow>(),
  sql: ({ hash }) => `
    select id, role, expires_at, revoked_at is not null as is_revoked, ${IS_EXPIRED} as is_expired,
      ${IS_NOTE_DUE} as is_note_due
    from operator_tokens where token_hash = ${hash}`,
});

/**
 * Notes that a token was used, unless that was noted within the last minute: the row of a busy token is not written
 * each time.
 */
export const updateOperatorTokenLastUse = statement({
  name: 'update_operator_token_last_use',
  parameters: { id: 'text' },
  sql: ({ id }) => `
    update operator_tokens set last_used_at = clock_timestamp() where id = ${id} and ${IS_NOTE_DUE}`,
});

/** The newest tokens, revoked and expired ones included. */
export const listOperatorTokenRows = statement({
  name: 'list_operator_tokens',
  parameters: { limit: 'integer' },
  returns: many<OperatorTokenRow>(),
  sql: ({ limit }) =>
    `select ${OPERATOR_TOKEN_COLUMNS} from operator_tokens order by created_at desc, id desc limit ${limit}`,
});

/** Revokes a token; an already revoked one stays unchanged. */
export const updateOperatorTokenRevoked = statement({
  name: 'update_operator_token_revoked',
  parameters: { id: 'text' },
  returns: maybeOne<OperatorTokenRow>(),
  sql: ({ id }) => `
    update operator_tokens set
      revoked_at = coalesce(revoked_at, clock_timestamp()), revoked_because = coalesce(revoked_because, 'command')
    where id = ${id} returning ${OPERATOR_TOKEN_COLUMNS}`,
});

/** Revokes a token that was sent unencrypted, unless it is already revoked. */
export const updateLeakedOperatorTokenRevoked = statement({
  name: 'update_leaked_operator_token_revoked',
  parameters: { hash: 'bytea' },
  returns: maybeOne<{ id: string }>(),
  sql: ({ hash }) => `
    update operator_tokens set revoked_at = clock_timestamp(), revoked_because = 'leak'
    where token_hash = ${hash} and revoked_at is null returning id`,
});
