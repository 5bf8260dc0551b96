import { InvalidRequestError } from './errors.ts';
import type { CallOptions, Input, OperationRow } from './operation-types.ts';
import { requireHeaderText, type Settings } from './settings.ts';

/** The request sent by every attempt of one call. */
export interface PreparedRequest {
  url: string;
  method: string;
  headers: Record<string, string>;
  body: string | undefined;
  hasKey: boolean;
  /** Secrets that must not appear in errors. */
  secrets: readonly string[];
}

const MAX_KEY_LENGTH = 255;
/** Real tokens are longer; redacting a short word would make other text unreadable. */
const MIN_SECRET_LENGTH = 16;

/** Creates the request of a call. Throws an InvalidRequestError for input that could not be sent as intended. */
export async function createRequest(
  settings: Settings,
  row: OperationRow,
  input: Input,
  options: CallOptions,
): Promise<PreparedRequest> {
  const token = row.token === true ? await settings.token() : undefined;
  const organizationId = row.token === true ? (options.organizationId ?? settings.organizationId) : undefined;
  const key = row.keyed === true ? (options.idempotencyKey ?? crypto.randomUUID()) : undefined;
  const body = input.body === undefined ? undefined : JSON.stringify(input.body);
  // A response without an envelope has its own type, but its errors are JSON as everywhere.
  const headers: Record<string, string> = { accept: row.answer === 'bytes' ? '*/*' : 'application/json' };
  if (token !== undefined) {
    headers.authorization = `Bearer ${requireHeaderText('token', token)}`;
  }
  if (organizationId !== undefined) {
    headers['x-organization-id'] = requireHeaderText('organizationId', organizationId);
  }
  if (key !== undefined) {
    headers['idempotency-key'] = requireHeaderText('idempotencyKey', key, MAX_KEY_LENGTH);
  }
  if (body !== undefined) {
    headers['content-type'] = 'application/json';
  }
  return {
    url: settings.baseUrl + fillPath(row, input.params ?? {}) + queryString(input.query ?? {}),
    method: row.method,
    headers,
    body,
    hasKey: key !== undefined,
    secrets: token === undefined || token.length < MIN_SECRET_LENGTH ? [] : [token],
  };
}

/** An ID that is empty or dots would address another path, such as DELETE /v1/webhooks/.. */
function fillPath(row: OperationRow, params: Readonly<Record<string, unknown>>): string {
  return row.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    if (typeof value !== 'string' || /^\.{0,2}$/.test(value)) {
      throw new InvalidRequestError({ code: 'invalid_argument', message: `${row.id} needs ${name}, a text` });
    }
    return encodeURIComponent(value);
  });
}

function queryString(query: Readonly<Record<string, unknown>>): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) {
      given.append(name, String(value));
    }
  }
  const text = given.toString();
  return text === '' ? '' : `?${text}`;
}
