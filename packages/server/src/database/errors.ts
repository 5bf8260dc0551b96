/** The database is not available now: down, starting, or overloaded. Answered with 503 and Retry-After. */
export class DatabaseUnavailable extends Error {
  constructor(reason: string, cause?: unknown) {
    super(`the database is not available: ${reason}`, { cause });
  }
}

/**
 * The connection was lost after a write or commit was sent: it is unknown whether it took effect. Answered like its
 * parent.
 */
export class OutcomeUnknown extends DatabaseUnavailable {}

/** A value that PostgreSQL itself refuses (NUL, lone surrogate, number out of range, too deep). Answered with 400. */
export class UnstorableValue extends Error {
  constructor(cause: unknown) {
    super('a value cannot be stored', { cause });
  }
}

/** The SQLSTATE of an error from the driver, or undefined if it has none: unlike `EPIPE`, each has a digit. */
function sqlState(error: unknown): string | undefined {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') {
    return /^(?=.*\d)[0-9A-Z]{5}$/.test(error.code) ? error.code : undefined;
  }
  return undefined;
}

/** Whether an error violates this unique index. The transaction is lost, so only an `update` needs this check. */
export function isUniqueViolation(error: unknown, index: string): boolean {
  const isViolation = sqlState(error) === '23505' && error instanceof Error;
  return isViolation && 'constraint' in error && error.constraint === index;
}

/** Whether the transaction may simply be run again: serialization failure, deadlock. */
export function isRetryable(error: unknown): boolean {
  const state = sqlState(error);
  return state === '40001' || state === '40P01';
}

/** Whether a foreign key kept a row from being deleted or written. */
export function isForeignKeyViolation(error: unknown): boolean {
  return sqlState(error) === '23503';
}

/** Whether a statement got no response at all within its timeout. */
export function isSilence(error: unknown): boolean {
  return messageOf(error).includes('Query read timeout');
}

/** Whether a host no longer accepts writes, because another has become the primary. */
export function isDemotion(error: unknown): boolean {
  return sqlState(error) === '25006';
}

/**
 * The error to throw if a write or commit failed after it was sent: OutcomeUnknown if it may have taken effect. A
 * server that shuts down while a commit waits for a standby has already written it.
 */
export function unknownIfLost(error: unknown): unknown {
  const state = sqlState(error);
  const isLost = state === undefined ? isConnectionFailure(error) : state.startsWith('08') || state.startsWith('57P');
  return isLost ? new OutcomeUnknown(reasonOf(error), error) : error;
}

/** Translates errors of the driver into errors that callers can handle; returns all others unchanged. */
export function translateError(error: unknown): unknown {
  if (error instanceof DatabaseUnavailable) {
    return error;
  }
  const state = sqlState(error);
  if (state !== undefined && LOST_STATEMENTS.has(state)) {
    const advice = 'behind PgBouncer in transaction mode, set SEATHOLD_PREPARED_STATEMENTS=off';
    return new DatabaseUnavailable(`${state}: the connection does not keep prepared statements; ${advice}`, error);
  }
  if (isDemotion(error)) {
    const why = 'the server is a standby, or has paused at the end of a recovery';
    return new DatabaseUnavailable(`${reasonOf(error)}; ${why}`, error);
  }
  if (state !== undefined) {
    if (state.startsWith('08') || state.startsWith('53') || UNAVAILABLE_STATES.has(state)) {
      return new DatabaseUnavailable(reasonOf(error), error);
    }
    return state.startsWith('22') || state === '54001' ? new UnstorableValue(error) : error;
  }
  return isConnectionFailure(error) ? new DatabaseUnavailable(reasonOf(error), error) : error;
}

/**
 * A name that the connection does not know, or already knows, because the pooler gave it to another client in the
 * meantime.
 */
const LOST_STATEMENTS = new Set(['26000', '42P05']);

/**
 * 25P03 idle in transaction, 55000 closed to connections, 55P03 lock not available, 57014 canceled; 57P01-57P05 admin shutdown,
 * crash, starting up; 3D000 not yet created.
 */
const UNAVAILABLE_STATES = new Set([
  '25P03',
  '55000',
  '55P03',
  '57014',
  '57P01',
  '57P02',
  '57P03',
  '57P05',
  '3D000',
  '58030',
  'XX000',
]);

const CONNECTION_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  'EAI_AGAIN',
  'EHOSTUNREACH',
]);

/** The driver reports these as plain errors that differ only in their text. */
const CONNECTION_MESSAGES =
  /Connection terminated|timeout exceeded when trying to connect|Query read timeout|not queryable|Client was closed|after calling end/;

function isConnectionFailure(error: unknown): boolean {
  if (error instanceof Error && 'code' in error && CONNECTION_CODES.has(String(error.code))) {
    return true;
  }
  return CONNECTION_MESSAGES.test(messageOf(error));
}

/** What PostgreSQL or the driver says, with the SQLSTATE if there is one. */
export function reasonOf(error: unknown): string {
  const state = sqlState(error);
  return state === undefined ? messageOf(error) : `${state}: ${messageOf(error)}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
