import http from 'node:http';
import https from 'node:https';
import type { Event } from '@seathold/client';
import { signForwarded } from './sign-forwarded.ts';

/** The target of forwarded events, and their identity. */
export interface Target {
  url: URL;
  secret: string;
  userAgent: string;
}

/**
 * The outcome. `error` is null for 2xx, otherwise a class as in real deliveries; but a hanging connect is a `timeout`
 * here, and `canceled` and `failed` exist only here.
 */
export interface Forwarded {
  statusCode: number | null;
  error: string | null;
  durationMs: number;
}

/** Posts an event like a real delivery. Never rejects: an error becomes the receiver's response. */
export async function forwardEvent(
  { url, secret, userAgent }: Target,
  event: Event,
  signal: AbortSignal,
): Promise<Forwarded> {
  const body = JSON.stringify({
    id: event.id,
    type: event.type,
    created: event.created,
    data: { object: event.data.object },
    organization_id: event.organization_id,
  });
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'user-agent': userAgent,
    'x-service-event': event.type,
    // An event is forwarded once, so its own ID distinguishes the deliveries.
    'x-service-delivery': event.id.replace(/^evt_/, 'dlv_'),
    ...(await signForwarded(secret, event.id, Math.floor(Date.now() / 1000), body)),
  };
  const beganAt = performance.now();
  const outcome = await post(url, headers, body, AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)])).then(
    (statusCode) => ({ statusCode, error: errorOfStatus(statusCode) }),
    (error: unknown) => ({ statusCode: null, error: errorClass(error) }),
  );
  return { ...outcome, durationMs: Math.round(performance.now() - beganAt) };
}

/** As for a real delivery (SEATHOLD_WEBHOOK_TIMEOUT). */
const TIMEOUT_MS = 15_000;
const MAX_ANSWER_BYTES = 64 * 1024;

/** Returns the status. Each request uses a new connection, because a receiver under development restarts often. */
function post(url: URL, headers: http.OutgoingHttpHeaders, body: string, signal: AbortSignal): Promise<number> {
  return new Promise((resolve, reject) => {
    const { request } = url.protocol === 'https:' ? https : http;
    const sent = request(url, { method: 'POST', headers, agent: false, signal }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > MAX_ANSWER_BYTES) {
          response.destroy();
        }
      });
      // A response that breaks off still counts by its status.
      response.on('error', () => undefined);
      response.on('close', () => (signal.aborted ? reject(signal.reason) : resolve(response.statusCode ?? 0)));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

function errorOfStatus(status: number): string | null {
  if (status >= 200 && status < 300) {
    return null;
  }
  return status >= 300 && status < 400 ? 'redirect' : 'http_status';
}

function errorClass(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const name = error instanceof Error ? error.name : '';
  if (name === 'TimeoutError' || code === 'ETIMEDOUT') {
    return 'timeout';
  }
  if (name === 'AbortError') {
    const isTimeout = error instanceof Error && error.cause instanceof Error && error.cause.name === 'TimeoutError';
    return isTimeout ? 'timeout' : 'canceled';
  }
  if (code.startsWith('HPE_')) {
    return 'invalid_response';
  }
  return CLASSES[code] ?? (/CERT|SSL|TLS|SELF_SIGNED|VERIFY/.test(code) ? 'tls_error' : 'failed');
}

const CLASSES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection_refused',
  ECONNRESET: 'connection_reset',
  EPIPE: 'connection_reset',
  ENOTFOUND: 'dns_error',
  EAI_AGAIN: 'dns_error',
  EHOSTUNREACH: 'network_unreachable',
  ENETUNREACH: 'network_unreachable',
  EPROTO: 'tls_error',
};
