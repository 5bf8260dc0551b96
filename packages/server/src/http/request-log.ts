import { isoTime } from '../clock/index.ts';
import { createLineStream, type Logger } from '../log/index.ts';

/** What the log records of an answered request. Only the method comes from the client. */
interface AnsweredRequest {
  requestId: string;
  /** Where traces are on. */
  traceId?: string | undefined;
  method: string | undefined;
  /** The endpoint as the table has it; undefined when there is none. A path or a query may hold secrets. */
  route: string | undefined;
  status: number;
  /** The error code of a refusal. */
  code: string | undefined;
  durationMs: number;
  organizationId: string | undefined;
  userId: string | undefined;
}

/** Writes one line for each request, so that support can find a customer's request id. */
export interface RequestLog {
  write(environment: string, request: AnsweredRequest): void;
  /** Writes out what waits. */
  close(): Promise<void>;
}

/**
 * Creates the log of requests, which stands among the service's own lines at level info. There is one line for each request, so
 * they are written in the background. A slow reader of the log loses lines, and a warning gives their number; it slows no request.
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
