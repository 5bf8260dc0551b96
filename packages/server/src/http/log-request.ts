import type { Clock } from '../clock/index.ts';
import { tracing } from '../tracing/index.ts';
import type { Exchange } from './exchange.ts';
import type { RequestLog } from './request-log.ts';

/** Writes the line of an answered request; `route` is its row of the route table, if there is one. */
export type LogRequest = (exchange: Exchange, route: string | undefined) => void;

/** The request log of one environment. */
export function requestLogger(log: RequestLog | undefined, environment: string, clock: Clock): LogRequest {
  return (exchange, route) =>
    log?.write(environment, {
      requestId: exchange.requestId,
      traceId: tracing()?.traceId,
      method: exchange.request.method,
      route,
      status: exchange.response.statusCode,
      code: exchange.errorCode,
      durationMs: clock.nowMs() - exchange.arrivedAtMs,
      organizationId: exchange.principal?.organizationId,
      userId: exchange.principal?.userId,
    });
}
