import { createHmac } from 'node:crypto';
import { defineEncryptedColumn, type EncryptedColumn, type Queries, type Statement } from '../database/index.ts';
import type { MasterKey } from '../security/index.ts';
import { keyReused, requestInProgress } from './errors.ts';
import type { Answer, Effect, Refusal } from './route.ts';
import { answerOf } from './run-effect.ts';

/** Whose key it is: the same text means another thing to another user, organization or route. */
export interface IdempotentRequest {
  organizationId: string;
  userId: string;
  route: string;
  key: string;
  /** What was asked: another body or path under the same key is refused. */
  content: string;
}

/**
 * Runs requests that carry an Idempotency-Key once (contract §5): the record is written in the transaction of the effect,
 * so both exist or neither. Only successful answers are kept, 24 hours, encrypted since some hold a once-only secret.
 */
export class IdempotencyRecords {
  readonly #database: Queries;
  readonly #masterKey: MasterKey;
  readonly #running = new Map<string, Promise<unknown>>();

  constructor(database: Queries, masterKey: MasterKey) {
    this.#database = database;
    this.#masterKey = masterKey;
  }

  /** Runs `effect` in a transaction, or returns what its first run answered. Throws its refusal, which is not kept. */
  async runOnce(request: IdempotentRequest, effect: Effect): Promise<{ answer: Answer<unknown>; isReplay: boolean }> {
    const name = identityOf(request);
    // Between the last look and the claim there is no turn of the event loop, so that of many who waited one goes on.
    for (const givenUp = AbortSignal.timeout(WAIT_MS); this.#running.has(name); ) {
      await this.#waitForFirst(name, givenUp);
    }
    const run = this.#database.transaction((tx) => this.#runInTransaction(tx, request, effect));
    this.#running.set(name, run);
    try {
      const { outcome, isReplay } = await run;
      return { answer: answerOf(outcome), isReplay };
    } finally {
      if (this.#running.get(name) === run) {
        this.#running.delete(name);
      }
    }
  }

  /**
   * Waits in this process, without a connection, while the same key runs here. A first request on another process
   * is waited for by the database, at the unique key.
   */
  async #waitForFirst(name: string, givenUp: AbortSignal): Promise<void> {
    if (givenUp.aborted) {
      throw requestInProgress();
    }
    await Promise.race([this.#running.get(name)?.catch(() => undefined), aborted(givenUp)]);
  }

  async #runInTransaction(
    tx: Queries,
    request: IdempotentRequest,
    effect: Effect,
  ): Promise<{ outcome: Answer<unknown> | Refusal; isReplay: boolean }> {
    const place = [request.organizationId, request.userId, request.route, request.key];
    // Keyed, since a body may hold a password: who steals the database must not be able to guess at it.
    const hash = createHmac('sha256', this.#masterKey.deriveKey(CONTENT_PURPOSE)).update(request.content).digest();
    await tx.query(DELETE_EXPIRED_KEY, place);
    const claimed = await tx.query(INSERT_KEY, [...place, hash]);
    if (claimed.length === 0) {
      return { outcome: await this.#replay(tx, place, hash), isReplay: true };
    }
    const outcome = await effect(tx);
    if ('refusal' in outcome) {
      await tx.query(DELETE_KEY, place);
    } else {
      const sealed = this.#masterKey.encrypt(PURPOSE, identityOf(request), JSON.stringify(outcome.data));
      await tx.query(UPDATE_KEY, [...place, outcome.status ?? 0, sealed]);
    }
    return { outcome, isReplay: false };
  }

  async #replay(tx: Queries, place: readonly string[], hash: Buffer): Promise<Answer<unknown>> {
    const [kept] = await tx.query(FIND_KEY, place);
    if (kept === undefined) {
      throw requestInProgress();
    }
    if (!kept.request_hash.equals(hash)) {
      throw keyReused();
    }
    const data: unknown = JSON.parse(this.#masterKey.decrypt(PURPOSE, place.join('\n'), kept.answer));
    return kept.status === 0 ? { data } : { data, status: kept.status };
  }
}

/** Removes keys past their 24 hours, about `limit` at a time; returns how many went. */
export async function deleteExpiredKeys(database: Queries, limit: number): Promise<number> {
  return (await database.query(DELETE_EXPIRED_KEYS, [limit])).length;
}

/** Forgets the answers that a user got in these organizations, in the transaction that deletes the account. */
export async function deleteKeysOfUser(tx: Queries, organizationIds: readonly string[], userId: string): Promise<void> {
  await tx.query(DELETE_KEYS_OF_USER, [organizationIds, userId]);
}

const WAIT_MS = 5_000;
const PURPOSE = 'idempotency';
const CONTENT_PURPOSE = 'idempotency-content';

/** The encrypted columns of this foundation. */
export const IDEMPOTENCY_CIPHERTEXTS: readonly EncryptedColumn[] = [
  defineEncryptedColumn({
    table: 'idempotency_keys',
    column: 'answer',
    key: [
      ['organization_id', 'text'],
      ['user_id', 'text'],
      ['route', 'text'],
      ['key', 'text'],
    ],
    purpose: PURPOSE,
    contextOf: (place) => place.join('\n'),
  }),
];

function identityOf(request: IdempotentRequest): string {
  return [request.organizationId, request.userId, request.route, request.key].join('\n');
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

const INSERT_KEY: Statement<{ key: string }> = {
  name: 'insert_idempotency_key',
  text: `insert into idempotency_keys (organization_id, user_id, route, key, request_hash, status, answer, created_at)
    values ($1, $2, $3, $4, $5, 0, '', clock_timestamp())
    on conflict (organization_id, user_id, route, key) do nothing returning key`,
};

const FIND_KEY: Statement<{ request_hash: Buffer; status: number; answer: Buffer }> = {
  name: 'find_idempotency_key',
  text: `select request_hash, status, answer from idempotency_keys
    where organization_id = $1 and user_id = $2 and route = $3 and key = $4`,
};

const UPDATE_KEY: Statement<never> = {
  name: 'update_idempotency_key',
  text: `update idempotency_keys set status = $5, answer = $6
    where organization_id = $1 and user_id = $2 and route = $3 and key = $4`,
};

const DELETE_KEY: Statement<never> = {
  name: 'delete_idempotency_key',
  text: 'delete from idempotency_keys where organization_id = $1 and user_id = $2 and route = $3 and key = $4',
};

const DELETE_EXPIRED_KEY: Statement<never> = {
  name: 'delete_expired_idempotency_key',
  text: `delete from idempotency_keys where organization_id = $1 and user_id = $2 and route = $3 and key = $4
    and created_at < clock_timestamp() - interval '24 hours'`,
};

const DELETE_KEYS_OF_USER: Statement<never> = {
  name: 'delete_idempotency_keys_of_user',
  text: 'delete from idempotency_keys where organization_id = any($1::text[]) and user_id = $2',
};

/** The oldest by their range of ages, ends included: naming them by their keys would read the whole table. */
const DELETE_EXPIRED_KEYS: Statement<{ key: string }> = {
  name: 'delete_expired_idempotency_keys',
  text: `with oldest as materialized (
      select created_at from idempotency_keys
      where created_at < (select clock_timestamp() - interval '24 hours') order by created_at limit $1
    )
    delete from idempotency_keys
    where created_at between (select min(created_at) from oldest) and (select max(created_at) from oldest)
    returning key`,
};
