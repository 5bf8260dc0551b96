/** Why an attempt failed, as shown to customers: only a class, so that we do not reveal anything about networks. */
export type AttemptError =
  | 'http_status'
  | 'redirect'
  | 'dns_error'
  | 'forbidden_address'
  | 'connect_timeout'
  | 'connection_refused'
  | 'connection_reset'
  | 'network_unreachable'
  | 'tls_error'
  | 'timeout'
  | 'invalid_response';

/** An attempt that ended without a response. */
export class AttemptFailure extends Error {
  readonly kind: AttemptError;
  /** The dialed address, if known. */
  readonly address: string | null;

  constructor(kind: AttemptError, address: string | null = null, cause?: unknown) {
    super(kind, { cause });
    this.kind = kind;
    this.address = address;
  }
}

/** The class of a status, null for success. */
export function errorOfStatus(statusCode: number): AttemptError | null {
  if (statusCode >= 200 && statusCode <= 299) {
    return null;
  }
  return statusCode >= 300 && statusCode <= 399 ? 'redirect' : 'http_status';
}

/** The class of an error before the connection was established; errors not explained by TCP are TLS errors. */
export function errorOfConnecting(error: unknown, isTcpConnected: boolean): AttemptError {
  const codes = codesOf(error);
  // Several addresses fail with one error each: a response from a machine takes precedence over silence.
  const kind = [...NETWORK_ERRORS].find(([code]) => codes.includes(code))?.[1];
  return kind ?? (isTcpConnected ? 'tls_error' : 'network_unreachable');
}

/** The class of an error on an established connection, before the head of a response was complete. */
export function errorOfExchange(error: unknown): AttemptError {
  const [code = ''] = codesOf(error);
  if (code === 'UND_ERR_SOCKET') {
    // The library's common code for a closed connection and for an invalid response.
    return /^bad (?:response|upgrade)$/.test(messageOf(error)) ? 'invalid_response' : 'connection_reset';
  }
  if (code === 'ETIMEDOUT') {
    return 'timeout';
  }
  if (code === 'EPROTO' || /^ERR_(?:SSL|TLS)_/.test(code)) {
    return 'tls_error';
  }
  return NETWORK_ERRORS.get(code) ?? 'invalid_response';
}

/** Whether the connection was lost before the request was written, so that the receiver has not seen it. */
export function isUnsent(error: unknown): boolean {
  const [code = ''] = codesOf(error);
  return code === CONNECTION_IS_GONE || code === CLIENT_IS_DESTROYED;
}

/** The error code of a connection whose socket was lost before the request was written. */
export const CONNECTION_IS_GONE = 'ERR_CONNECTION_IS_GONE';

/**
 * The library's code for requests waiting in a client that is destroyed, as ours is with its socket. Requests in flight
 * have others.
 */
const CLIENT_IS_DESTROYED = 'UND_ERR_DESTROYED';

/** The first one found counts. */
const NETWORK_ERRORS: ReadonlyMap<string, AttemptError> = new Map([
  ['ECONNREFUSED', 'connection_refused'],
  ['ECONNRESET', 'connection_reset'],
  ['EPIPE', 'connection_reset'],
  ['ECONNABORTED', 'connection_reset'],
  [CONNECTION_IS_GONE, 'connection_reset'],
  [CLIENT_IS_DESTROYED, 'connection_reset'],
  ['ETIMEDOUT', 'connect_timeout'],
  ['EHOSTUNREACH', 'network_unreachable'],
  ['ENETUNREACH', 'network_unreachable'],
]);

function codesOf(error: unknown): string[] {
  const own = error instanceof Error && 'code' in error && typeof error.code === 'string' ? [error.code] : [];
  return error instanceof AggregateError ? [...own, ...error.errors.flatMap(codesOf)] : own;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : '';
}
