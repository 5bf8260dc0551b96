import { count, exists, maybeOne, type Placeholders, statement } from '../database/index.ts';

/** The owner of a key. */
const PLACE = { organizationId: 'text', userId: 'text', route: 'text', key: 'text' } as const;

const isAt = ({ organizationId, userId, route, key }: Placeholders<typeof PLACE>) =>
  `organization_id = ${organizationId} and user_id = ${userId} and route = ${route} and key = ${key}`;

/** Returns false if the key is already in use. */
export const insertIdempotencyKey = statement({
  name: 'insert_idempotency_key',
  parameters: { ...PLACE, requestHash: 'bytea' },
  returns: exists(),
  sql: ({ organizationId, userId, route, key, requestHash }) => `
    insert into idempotency_keys (organization_id, user_id, route, key, request_hash, status, answer, created_at)
    values (${organizationId}, ${userId}, ${route}, ${key}, ${requestHash}, 0, '', clock_timestamp())
    on conflict (organization_id, user_id, route, key) do nothing returning key`,
});

export const findIdempotencyKey = statement({
  name: 'find_idempotency_key',
  parameters: PLACE,
  returns: maybeOne<{ request_hash: Buffer; status: number; answer: Buffer }>(),
  sql: (place) => `select request_hash, status, answer from idempotency_keys where ${isAt(place)}`,
});

/** Stores the response to the request that inserted the key. */
export const updateIdempotencyKey = statement({
  name: 'update_idempotency_key',
  parameters: { ...PLACE, status: 'integer', answer: 'bytea' },
  sql: ({ status, answer, ...place }) =>
    `update idempotency_keys set status = ${status}, answer = ${answer} where ${isAt(place)}`,
});

export const deleteIdempotencyKey = statement({
  name: 'delete_idempotency_key',
  parameters: PLACE,
  sql: (place) => `delete from idempotency_keys where ${isAt(place)}`,
});

/** Deletes the key if it is past its 24 hours. */
export const deleteExpiredIdempotencyKey = statement({
  name: 'delete_expired_idempotency_key',
  parameters: PLACE,
  sql: (place) => `
    delete from idempotency_keys where ${isAt(place)} and created_at < clock_timestamp() - interval '24 hours'`,
});

/** Deletes the responses that a user got in these organizations, in the transaction that deletes the account. */
export const deleteIdempotencyKeysOfUser = statement({
  name: 'delete_idempotency_keys_of_user',
  parameters: { organizationIds: 'text[]', userId: 'text' },
  sql: ({ organizationIds, userId }) =>
    `delete from idempotency_keys where organization_id = any(${organizationIds}) and user_id = ${userId}`,
});

/**
 * Deletes keys past their 24 hours, about `limit`; counts them. The oldest are selected by an inclusive range of ages,
 * because selecting by key would read the whole table.
 */
export const deleteExpiredIdempotencyKeys = statement({
  name: 'delete_expired_idempotency_keys',
  parameters: { limit: 'integer' },
  returns: count(),
  sql: ({ limit }) => `
    with oldest as materialized (
      select created_at from idempotency_keys
      where created_at < (select clock_timestamp() - interval '24 hours') order by created_at limit ${limit}
    )
    delete from idempotency_keys
    where created_at between (select min(created_at) from oldest) and (select max(created_at) from oldest)`,
});
