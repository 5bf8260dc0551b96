import { ANY_OTHER_STATUS, type Operation, operationOf } from './api-description.ts';
import type { RawAnswer, RawRequest } from './raw-connection.ts';

/**
 * What is wrong with a response, or undefined. It must never be 5xx, and always have the envelope and the schema in
 * openapi.json.
 */
export function findFault(
  operations: readonly Operation[],
  request: RawRequest,
  answer: RawAnswer,
): string | undefined {
  if (answer.status >= 500) {
    return 'a failure of the service';
  }
  const headerFault = findHeaderFault(answer);
  if (headerFault !== undefined || request.method === 'HEAD' || answer.status === 204) {
    return headerFault ?? (answer.body === '' ? undefined : 'a body where there is none');
  }
  const operation = operationOf(operations, request.method, request.target);
  return answer.status >= 400 ? findErrorFault(operation, answer) : findSuccessFault(operation, answer);
}

/** The envelope of an error, with the code that belongs to the status. */
export function findEnvelopeFault(answer: RawAnswer): string | undefined {
  if (answer.headers.get('content-type') !== 'application/json; charset=utf-8') {
    return 'an error is JSON';
  }
  const body = parse(answer.body);
  if (typeof body?.error?.code !== 'string' || typeof body.error.message !== 'string' || body.error.message === '') {
    return 'not the error envelope';
  }
  if (body.meta?.request_id !== answer.headers.get('x-request-id')) {
    return 'meta.request_id is not X-Request-Id';
  }
  return /\bat \S+:\d+|node_modules|select |insert |SQLSTATE/i.test(answer.body) ? 'it reveals internals' : undefined;
}

/** The headers that every response has, and those of certain statuses. */
export function findHeaderFault(answer: RawAnswer): string | undefined {
  return findCommonHeaderFault(answer) ?? findMissing(answer, BY_STATUS.get(answer.status) ?? []);
}

/** The headers that every response has, from the API and from OAuth. */
export function findCommonHeaderFault(answer: RawAnswer): string | undefined {
  return findMissing(answer, EVERY_ANSWER);
}

function findMissing({ headers }: RawAnswer, wanted: ReadonlyArray<readonly [string, RegExp]>): string | undefined {
  const missing = wanted.find(([name, pattern]) => !pattern.test(headers.get(name) ?? ''));
  return missing === undefined ? undefined : `the header ${missing[0]} is ${headers.get(missing[0])}`;
}

const EVERY_ANSWER: ReadonlyArray<readonly [string, RegExp]> = [
  ['x-request-id', /^req_[0-9a-z]{26}$/],
  ['x-ratelimit-limit', /^\d+$/],
  ['x-ratelimit-remaining', /^\d+$/],
  ['x-ratelimit-reset', /^\d{10}$/],
  ['strict-transport-security', /^max-age=\d+/],
  ['x-content-type-options', /^nosniff$/],
  // Only what is the same for everyone may be cached. The dashboard's page is revalidated each time.
  ['cache-control', /^(no-store|no-cache|public, max-age=\d+)$/],
];

const BY_STATUS = new Map<number, ReadonlyArray<readonly [string, RegExp]>>([
  [401, [['www-authenticate', /^Bearer /]]],
  [405, [['allow', /^[A-Z]+(, [A-Z]+)*$/]]],
]);

/** The errors that any request can get before an operation is found or the body read. */
const SHARED_CODES = new Map([
  ['method_not_allowed', 405],
  ['not_found', 404],
  ['headers_too_large', 431],
  ['request_timeout', 408],
  ['expectation_failed', 417],
  ['invalid_request', 400],
]);

function findErrorFault(operation: Operation | undefined, answer: RawAnswer): string | undefined {
  const fault = findEnvelopeFault(answer);
  if (fault !== undefined) {
    return fault;
  }
  const body = parse(answer.body);
  const validator = operation?.answers.get(answer.status) ?? operation?.answers.get(ANY_OTHER_STATUS);
  if (validator?.Check(body) === true || SHARED_CODES.get(body?.error?.code ?? '') === answer.status) {
    return findDetailsFault(body);
  }
  return validator === undefined
    ? 'the document does not have this status for this operation'
    : `the document specifies otherwise: ${JSON.stringify(validator.Errors(body)[0])}`;
}

/** The shared codes are checked here, because no operation describes them. */
function findDetailsFault(body: ErrorBody | undefined): string | undefined {
  const { code, details } = body?.error ?? {};
  if (code === 'invalid_request') {
    const isRight = typeof details?.field === 'string' && REASONS.has(String(details.reason));
    return isRight ? undefined : 'details are not field and reason';
  }
  return code === 'not_found' && typeof details?.resource !== 'string' ? 'details are not resource' : undefined;
}

const REASONS = new Set(['required', 'type', 'format', 'min', 'max', 'length', 'enum', 'unknown', 'malformed']);

function findSuccessFault(operation: Operation | undefined, answer: RawAnswer): string | undefined {
  if (operation === undefined) {
    return undefined;
  }
  if (!operation.answers.has(answer.status)) {
    return 'the document does not have this status for this operation';
  }
  const validator = operation.answers.get(answer.status);
  const body = parse(answer.body);
  if (validator?.Check(body) === false) {
    return `the document specifies otherwise: ${JSON.stringify(validator.Errors(body)[0])}`;
  }
  if (validator !== undefined && body?.meta?.request_id !== answer.headers.get('x-request-id')) {
    return 'meta.request_id is not X-Request-Id';
  }
  const isPrivate = !operation.isPublic && answer.headers.get('cache-control') !== 'no-store';
  return isPrivate ? 'authenticated responses must not be cached' : undefined;
}

interface ErrorBody {
  error?: { code?: unknown; message?: unknown; details?: Readonly<Record<string, unknown>> } & { code?: string };
  meta?: { request_id?: string };
}

function parse(text: string): ErrorBody | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
