import { isoTime } from '../clock/index.ts';
import { createLineStream, type Logger } from '../log/index.ts';

/** The logged fields of an answered request. Only the method comes from the client. */
interface AnsweredRequest {
  requestId: string;
  /** Set if tracing is on. */
  traceId?: string | undefined;
  method: string | undefined;
  /** The endpoint from the route table; undefined if there is none. The requested path or query may contain secrets. */
  route: string | undefined;
  status: number;
  /** The error code of a refusal. */
  code: string | undefined;
  durationMs: number;
  organizationId: string | undefined;
  userId: string | undefined;
}

/** Writes one line per request, so that support can find a customer's request ID. */
export interface RequestLog {
  write(environment: string, request: AnsweredRequest): void;
  /** Writes all waiting lines. */
  close(): Promise<void>;
}

/**
 * Creates the request log, whose lines are among the service's own at level info. Because there is one line per
 * request, they are written in the background. A slow reader of the log loses lines, and a warning gives their number;
 * it does not slow down requests.
 */
export function createRequestLog(
  which: 'all' | 'errors',
  log: Logger,
  stream = createLineStream(2),
  processName?: string,
): RequestLog {
  const origin = processName === undefined ? '' : `,"process":${JSON.stringify(processName)}`;
  return {
    write: (environment, request) => {
      if ((which === 'errors' && request.status < 400) || !log.isLevelEnabled('info')) {
        return;
      }
      const dropped = stream.takeDropped();
      if (dropped > 0) {
        log.warn({ dropped }, 'dropped request log lines because the log is read too slowly');
      }
      stream.write(formatRequest(origin, environment, request));
    },
    close: () => stream.close(),
  };
}

/** Concatenated instead of serialized, because there is one per request. */
function formatRequest(origin: string, environment: string, request: AnsweredRequest): string {
  const { requestId, traceId, method = '', route, status, code, durationMs, organizationId, userId } = request;
  const optional = [
    method === '' ? '' : `,"method":"${KNOWN_METHOD.test(method) ? method : 'other'}"`,
    route === undefined ? '' : `,"route":${JSON.stringify(route)}`,
    code === undefined ? '' : `,"code":${JSON.stringify(code)}`,
    organizationId === undefined ? '' : `,"organization_id":"${organizationId}"`,
    userId === undefined ? '' : `,"user_id":"${userId}"`,
    traceId === undefined ? '' : `,"trace_id":"${traceId}"`,
  ].join('');
  return `{"level":30,"time":"${isoTime(Date.now())}"${origin},"environment":"${environment}","request_id":"${requestId}","status":${status},"duration_ms":${durationMs}${optional},"msg":"request"}\n`;
}

/** HTTP/2 lets a client write anything here. */
const KNOWN_METHOD = /^[A-Z-]{1,20}$/;
