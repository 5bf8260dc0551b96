import { createHmac } from 'node:crypto';
import { defineEncryptedColumn, type EncryptedColumn, type Queries } from '../database/index.ts';
import type { MasterKey } from '../security/index.ts';
import { keyReused, requestInProgress } from './errors.ts';
import {
  deleteExpiredIdempotencyKey,
  deleteIdempotencyKey,
  findIdempotencyKey,
  insertIdempotencyKey,
  updateIdempotencyKey,
} from './idempotency-queries.ts';
import type { Answer, Answered, Phase } from './route.ts';

/** A key and its owner: the same text is another key for another user, organization or route. */
export interface IdempotentRequest {
  organizationId: string;
  userId: string;
  route: string;
  key: string;
  /** The content of the request: another body or path with the same key is refused. */
  content: string;
}

/**
 * Runs requests with an Idempotency-Key once (contract §5): the record is written in the transaction of the request, so
 * either both exist or neither. Only successful responses are stored, for 24 hours, encrypted because some contain a
 * secret that is shown once.
 */
export class IdempotencyRecords {
  readonly #database: Queries;
  readonly #masterKey: MasterKey;
  readonly #running = new Map<string, Promise<unknown>>();

  constructor(database: Queries, masterKey: MasterKey) {
    this.#database = database;
    this.#masterKey = masterKey;
  }

  /** Runs `phase` in a transaction, or returns the answer of the first run. Only an answer is stored. */
  async runOnce<Next extends { kind: string }>(
    request: IdempotentRequest,
    phase: Phase<Next>,
  ): Promise<{ ended: Answered | Next; isReplay: boolean }> {
    const name = identityOf(request);
    // There is no turn of the event loop between the last check and the claim, so only one of many waiting requests
    // continues.
    for (const givenUp = AbortSignal.timeout(WAIT_MS); this.#running.has(name); ) {
      await this.#waitForFirst(name, givenUp);
    }
    const run = this.#database.transaction((tx) => this.#runInTransaction(tx, request, phase));
    this.#running.set(name, run);
    try {
      return await run;
    } finally {
      if (this.#running.get(name) === run) {
        this.#running.delete(name);
      }
    }
  }

  /**
   * Waits in this process, without a connection, while a request with the same key runs here. For a request on another
   * process, the database waits at the unique key.
   */
  async #waitForFirst(name: string, givenUp: AbortSignal): Promise<void> {
    if (givenUp.aborted) {
      throw requestInProgress();
    }
    await Promise.race([this.#running.get(name)?.catch(() => undefined), aborted(givenUp)]);
  }

  async #runInTransaction<Next extends { kind: string }>(
    tx: Queries,
    request: IdempotentRequest,
    phase: Phase<Next>,
  ): Promise<{ ended: Answered | Next; isReplay: boolean }> {
    const { organizationId, userId, route, key, content } = request;
    const place = { organizationId, userId, route, key };
    // Keyed, because a body may contain a password, which must not be guessable from a stolen database.
    const hash = createHmac('sha256', this.#masterKey.deriveKey(CONTENT_PURPOSE)).update(content).digest();
    await deleteExpiredIdempotencyKey(tx, place);
    if (!(await insertIdempotencyKey(tx, { ...place, requestHash: hash }))) {
      return { ended: { kind: 'answered', answer: await this.#replay(tx, request, hash) }, isReplay: true };
    }
    const ended = await phase(tx);
    if (isAnswered(ended)) {
      const { data, status = 0 } = ended.answer;
      const sealed = this.#masterKey.encrypt(PURPOSE, identityOf(request), JSON.stringify(data));
      await updateIdempotencyKey(tx, { ...place, status, answer: sealed });
    } else {
      await deleteIdempotencyKey(tx, place);
    }
    return { ended, isReplay: false };
  }

  async #replay(tx: Queries, request: IdempotentRequest, hash: Buffer): Promise<Answer<unknown>> {
    const { organizationId, userId, route, key } = request;
    const kept = await findIdempotencyKey(tx, { organizationId, userId, route, key });
    if (kept === undefined) {
      throw requestInProgress();
    }
    if (!kept.request_hash.equals(hash)) {
      throw keyReused();
    }
    const data: unknown = JSON.parse(this.#masterKey.decrypt(PURPOSE, identityOf(request), kept.answer));
    return kept.status === 0 ? { data } : { data, status: kept.status };
  }
}

function isAnswered(ended: { kind: string }): ended is Answered {
  return ended.kind === 'answered';
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
