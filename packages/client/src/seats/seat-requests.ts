import type { KeeperRequest } from './keeper-types.ts';

/** The parameters common to all requests of one keeper. */
export interface SeatSubject {
  readonly licenseKey: string;
  readonly hardwareId: string;
  readonly metadata: Readonly<Record<string, unknown>> | undefined;
  /** The name of the machine in the list of activations. */
  readonly name: string | undefined;
}

/** A request of the keeper as HTTP. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly needsToken: boolean;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly answer: 'data' | 'json' | 'bytes' | 'nothing';
  readonly timeoutMs: number;
  /** Whether it may be the last request of a page. */
  readonly isLast?: true;
}

export const KEYS_REQUEST: HttpRequest = {
  method: 'GET',
  path: '/.well-known/jwks.json',
  needsToken: false,
  answer: 'json',
  timeoutMs: 10_000,
};

/** Undefined members of a body are not sent. */
export function toHttp(request: KeeperRequest, subject: SeatSubject): HttpRequest {
  const { licenseKey: license_key, hardwareId: hardware_id, metadata, name } = subject;
  switch (request.kind) {
    case 'activate':
      return { ...post('activate', 30_000, { license_key, hardware_id, name }), needsToken: false };
    case 'acquire': {
      const { waitSeconds: wait_seconds, offlineSeconds: offline_seconds } = request;
      return post('acquire', 30_000, { license_key, hardware_id, metadata, wait_seconds, offline_seconds });
    }
    case 'heartbeat':
      return post('heartbeat', 15_000, { session_id: request.sessionId });
    case 'release':
      return { ...post('release', 5_000, { session_id: request.sessionId }), isLast: true };
    case 'poll': {
      const { waitId, timeoutSeconds } = request;
      const path = `/v1/licenses/waits/${encodeURIComponent(waitId)}?timeout=${timeoutSeconds}`;
      return { method: 'GET', path, needsToken: true, answer: 'data', timeoutMs: (timeoutSeconds + 10) * 1000 };
    }
    case 'leave': {
      const path = `/v1/licenses/waits/${encodeURIComponent(request.waitId)}`;
      return { method: 'DELETE', path, needsToken: true, answer: 'nothing', timeoutMs: 5_000, isLast: true };
    }
    case 'revocations': {
      const path = '/.well-known/license-revocations.jwt';
      return { method: 'GET', path, needsToken: false, answer: 'bytes', timeoutMs: 10_000 };
    }
  }
}

function post(action: string, timeoutMs: number, body: Readonly<Record<string, unknown>>): HttpRequest {
  return { method: 'POST', path: `/v1/licenses/${action}`, needsToken: true, body, answer: 'data', timeoutMs };
}
