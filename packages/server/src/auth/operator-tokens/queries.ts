import type { Queries, Statement } from '../../database/index.ts';

/** An operator token as it is kept, without its secret. */
export interface OperatorTokenRow {
  id: string;
  name: string;
  prefix: string;
  created_at: Date;
  expires_at: Date | null;
  revoked_at: Date | null;
  revoked_because: 'command' | 'leak' | null;
  last_used_at: Date | null;
  is_expired: boolean;
}

/** What is asked of a token with every request. */
export interface PresentedTokenRow {
  id: string;
  expires_at: Date | null;
  is_revoked: boolean;
  is_expired: boolean;
  /** Whether the note of its last use is a minute old, or there is none. */
  is_note_due: boolean;
}

const IS_EXPIRED = '(expires_at is not null and expires_at <= clock_timestamp())';
const IS_NOTE_DUE = `(last_used_at is null or last_used_at < clock_timestamp() - interval '1 minute')`;
const COLUMNS = `id, name, prefix, created_at, expires_at, revoked_at, revoked_because, last_used_at,
  ${IS_EXPIRED} as is_expired`;

/** Writes a token, or returns undefined when it would have expired already. */
export async function insertOperatorToken(
  database: Queries,
  token: { id: string; hash: Buffer; name: string; prefix: string; expiresAt: Date | null },
): Promise<OperatorTokenRow | undefined> {
  const { id, hash, name, prefix, expiresAt } = token;
  return (await database.query(INSERT_OPERATOR_TOKEN, [id, hash, name, prefix, expiresAt]))[0];
}

/** The token with this hash, dead or alive; undefined when it is unknown. */
export async function findOperatorToken(database: Queries, hash: Buffer): Promise<PresentedTokenRow | undefined> {
  return (await database.query(FIND_OPERATOR_TOKEN, [hash]))[0];
}

/** Notes that a token was used, unless that was noted within the last minute: a busy token's row stays as it is. */
export async function noteOperatorTokenUse(database: Queries, id: string): Promise<void> {
  await database.query(NOTE_OPERATOR_TOKEN_USE, [id]);
}

/** The newest tokens, revoked and expired ones included, at most `limit`. */
export async function listOperatorTokenRows(database: Queries, limit: number): Promise<OperatorTokenRow[]> {
  return database.query(LIST_OPERATOR_TOKENS, [limit]);
}

/** Revokes a token and answers it; one that is revoked already stays as it is. Undefined when there is none. */
export async function revokeOperatorTokenRow(database: Queries, id: string): Promise<OperatorTokenRow | undefined> {
  return (await database.query(REVOKE_OPERATOR_TOKEN, [id]))[0];
}

/** Revokes a token that was seen in the clear; returns its id, or undefined when there is nothing to revoke. */
export async function revokeOperatorTokenByHash(database: Queries, hash: Buffer): Promise<string | undefined> {
  return (await database.query(REVOKE_OPERATOR_TOKEN_BY_HASH, [hash]))[0]?.id;
}

const INSERT_OPERATOR_TOKEN: Statement<OperatorTokenRow> = {
  name: 'insert_operator_token',
  text: `insert into operator_tokens (id, token_hash, name, prefix, created_at, expires_at)
    select $1, $2, $3, $4, n.t, $5::timestamptz from (select clock_timestamp() as t) n
    where $5::timestamptz is null or $5::timestamptz > n.t
    returning ${COLUMNS}`,
};

const FIND_OPERATOR_TOKEN: Statement<PresentedTokenRow> = {
  name: 'find_operator_token',
  text: `select id, expires_at, revoked_at is not null as is_revoked, ${IS_EXPIRED} as is_expired,
      ${IS_NOTE_DUE} as is_note_due
    from operator_tokens where token_hash = $1`,
};

const NOTE_OPERATOR_TOKEN_USE: Statement<never> = {
  name: 'note_operator_token_use',
  text: `update operator_tokens set last_used_at = clock_timestamp() where id = $1 and ${IS_NOTE_DUE}`,
};

const LIST_OPERATOR_TOKENS: Statement<OperatorTokenRow> = {
  name: 'list_operator_tokens',
  text: `select ${COLUMNS} from operator_tokens order by created_at desc, id desc limit $1`,
};

const REVOKE_OPERATOR_TOKEN: Statement<OperatorTokenRow> = {
  name: 'revoke_operator_token',
  text: `update operator_tokens set
      revoked_at = coalesce(revoked_at, clock_timestamp()), revoked_because = coalesce(revoked_because, 'command')
    where id = $1 returning ${COLUMNS}`,
};

const REVOKE_OPERATOR_TOKEN_BY_HASH: Statement<{ id: string }> = {
  name: 'revoke_operator_token_by_hash',
  text: `update operator_tokens set revoked_at = clock_timestamp(), revoked_because = 'leak'
    where token_hash = $1 and revoked_at is null returning id`,
};
