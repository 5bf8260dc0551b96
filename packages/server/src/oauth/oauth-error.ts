import type { ApiError, Exchange } from '../http/index.ts';

/** Sends an error to a program in the format of RFC 6749 section 5.2. */
export function sendOauthError(exchange: Exchange, error: ApiError): void {
  const body = { error: CODES[error.code] ?? 'invalid_request', error_description: error.message };
  exchange.send(error.status, 'application/json; charset=utf-8', JSON.stringify(body), error.headers);
}

const CODES: Readonly<Record<string, string>> = {
  rate_limit_exceeded: 'rate_limit_exceeded',
  service_unavailable: 'temporarily_unavailable',
  internal_error: 'server_error',
};
