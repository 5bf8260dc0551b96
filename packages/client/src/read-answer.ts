import { redact } from './describe-failure.ts';
import { errorOfStatus, type SeatholdError, UnexpectedAnswerError } from './errors.ts';
import type { ApiResponse, OperationRow } from './operation-types.ts';
import type { Pagination } from './pages.ts';
import type { FetchResponse } from './settings.ts';

/** An answer before it is known to be one page of a list. */
export type RawResponse = ApiResponse<unknown> & { pagination: Pagination | undefined };

/** Reads a response completely. Throws its error, including errors that do not come from Seathold. */
export async function readAnswer(
  row: Pick<OperationRow, 'answer'>,
  response: FetchResponse,
  secrets: readonly string[],
): Promise<RawResponse> {
  const { status, headers } = response;
  const requestId = headers.get('x-request-id') ?? undefined;
  // Browsers represent a redirect that was not followed as a response without a status.
  if (response.type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    // An unread body would keep its connection open.
    await response.text();
    throw new UnexpectedAnswerError({ code: 'redirected', message: REDIRECTED, status, requestId });
  }
  if (status < 200 || status >= 300) {
    throw refusal(response, redact(await response.text(), secrets), requestId);
  }
  const common = { status, requestId, headers, isReplayed: headers.get('idempotency-replayed') === 'true' };
  if (status === 204) {
    return { ...common, data: undefined, pagination: undefined };
  }
  if (row.answer === 'bytes' && headers.get('content-type')?.startsWith('text/html') !== true) {
    return { ...common, data: await response.arrayBuffer(), pagination: undefined };
  }
  const body = parseJson(await response.text());
  if (row.answer === 'json' && body !== undefined) {
    return { ...common, data: body, pagination: undefined };
  }
  if (row.answer === 'nothing' || !isObject(body) || !('data' in body)) {
    throw new UnexpectedAnswerError({ code: 'unexpected_answer', message: notOurs(response), status, requestId });
  }
  const pagination = isPagination(body.pagination) ? body.pagination : undefined;
  return { ...common, data: body.data, pagination };
}

const REDIRECTED = 'The answer is a redirect, which is not followed: the token would travel with it. Is baseUrl right?';

function refusal(response: FetchResponse, text: string, requestId: string | undefined): SeatholdError {
  const { status, headers } = response;
  const body = parseJson(text);
  const error = isObject(body) ? body.error : undefined;
  const retryAfterSeconds = readRetryAfter(headers.get('retry-after'), headers.get('date'));
  if (!isObject(error) || typeof error.code !== 'string' || typeof error.message !== 'string') {
    return errorOfStatus({
      code: 'unexpected_answer',
      message: notOurs(response),
      status,
      requestId,
      retryAfterSeconds,
    });
  }
  const { code, message } = error;
  const details = isObject(error.details) ? error.details : {};
  return errorOfStatus({
    code,
    message,
    status,
    details,
    // Browsers hide headers of other origins that the service does not expose; the body has the same value.
    requestId: requestId ?? readRequestId(body),
    retryAfterSeconds: retryAfterSeconds ?? readSeconds(details.retry_after),
  });
}

function readRequestId(body: unknown): string | undefined {
  const meta = isObject(body) ? body.meta : undefined;
  return isObject(meta) && typeof meta.request_id === 'string' ? meta.request_id : undefined;
}

function readSeconds(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 ? value : undefined;
}

/** Seconds, rounded up, from a number of seconds, or from a time by the response's own clock (RFC 9110 §10.2.3). */
function readRetryAfter(value: string | null, date: string | null): number | undefined {
  if (value === null) {
    return undefined;
  }
  if (/^\d{1,9}$/.test(value)) {
    return Number(value);
  }
  const milliseconds = Date.parse(value) - (Date.parse(date ?? '') || Date.now());
  return Number.isNaN(milliseconds) ? undefined : Math.max(0, Math.ceil(milliseconds / 1000));
}

function notOurs({ status, headers }: FetchResponse): string {
  const contentType = headers.get('content-type') ?? 'no content type';
  return `The answer with status ${status} is not one of Seathold's (${contentType.slice(0, 100)}). Is baseUrl right, or a proxy in between?`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isPagination(value: unknown): value is Pagination {
  return (
    isObject(value) &&
    typeof value.has_more === 'boolean' &&
    (value.next_cursor === null || typeof value.next_cursor === 'string')
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
