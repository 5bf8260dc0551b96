import type { IncomingMessage, ServerResponse } from 'node:http';
import { systemClock } from '../clock/index.ts';
import { HTTP_ERRORS, httpError, notFound } from './errors.ts';
import { Exchange } from './exchange.ts';
import type { ListenOptions } from './listener/index.ts';
import { requestLogger } from './log-request.ts';
import { type MetricsAccess, requireMetricsAccess } from './metrics-access.ts';
import type { RequestLog } from './request-log.ts';
import { translate } from './translate-error.ts';
import { CLIENT_ERROR_CODES } from './unrouted.ts';

/** The probes of a process without an API. */
export interface Probes extends MetricsAccess {
  /** Throws or returns a reason if the process cannot do its work. */
  whyNotReady(): Promise<string | undefined>;
  /** Prometheus text. */
  metrics(): Promise<string>;
  requestLog: RequestLog;
}

/**
 * The handlers for the listener of such a process: /healthz, /readyz and /metrics, with the same responses as the API's
 * ports.
 */
export function createProbeHandler(probes: Probes): Pick<ListenOptions, 'handler' | 'onPlainHttp' | 'onClientError'> {
  const serve = (request: IncomingMessage, response: ServerResponse) => void answer(probes, request, response);
  return {
    handler: (request, response) => serve(request as IncomingMessage, response as ServerResponse),
    onPlainHttp: serve,
    onClientError: (kind) => {
      const { status, when } = HTTP_ERRORS[CLIENT_ERROR_CODES[kind]];
      return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: `${when}\n` };
    },
  };
}

async function answer(probes: Probes, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const exchange = new Exchange(request, response, systemClock.nowMs(), request.socket.remoteAddress ?? '');
  const [path = ''] = (request.url ?? '').split('?');
  try {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      throw httpError('method_not_allowed', `${request.method} is not allowed on this path.`, {
        headers: { allow: 'GET, HEAD' },
      });
    }
    await respond(probes, exchange, path);
  } catch (error) {
    exchange.sendError(translate(error));
  } finally {
    requestLogger(
      probes.requestLog,
      'all',
      systemClock,
    )(exchange, exchange.response.statusCode === 200 ? path : undefined);
  }
}

async function respond(probes: Probes, exchange: Exchange, path: string): Promise<void> {
  switch (path) {
    case '/healthz':
      return exchange.send(200, JSON_TYPE, JSON.stringify({ status: 'ok' }));
    case '/readyz':
      await requireReadiness(probes);
      return exchange.send(200, JSON_TYPE, JSON.stringify({ status: 'ready' }));
    case '/metrics':
      requireMetricsAccess(probes, exchange.request.headers, exchange.clientAddress);
      return exchange.send(200, METRICS_TYPE, await probes.metrics());
    default:
      throw notFound('route');
  }
}

/** Throws 503 with the reason if requests would fail. */
export async function requireReadiness({ whyNotReady }: Pick<Probes, 'whyNotReady'>): Promise<void> {
  const reason = await whyNotReady().catch(() => 'the database is unavailable');
  if (reason !== undefined) {
    throw httpError('service_unavailable', `Not ready: ${reason}.`, { headers: { 'retry-after': '2' } });
  }
}

const JSON_TYPE = 'application/json; charset=utf-8';
export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';
