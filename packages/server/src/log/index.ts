import { type DestinationStream, destination, type Logger, pino } from 'pino';
import { tracing } from '../tracing/index.ts';

export type { Logger } from 'pino';
export { createLineStream } from './line-stream.ts';

export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';

/**
 * A structured JSON log on standard error, so that standard output is only used for the output of commands. If several
 * processes serve together, each line names its process. Redaction is a second line of defense: no code logs a secret,
 * and any that slips in under one of these names is removed.
 */
export function createLogger(
  level: LogLevel,
  stream: DestinationStream = createStandardErrorStream(),
  processName?: string,
): Logger {
  const children = new Set<Logger>();
  const log: Logger = pino(
    {
      level,
      mixin: nameTrace,
      base: processName === undefined ? null : { process: processName },
      // A child keeps the level that its parent had when it was created.
      onChild: (child: Logger) => children.add(child),
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      serializers: { err: describeError },
      redact: {
        paths: SECRET_NAMES.flatMap((name) => [name, `*.${name}`]),
        censor: '[redacted]',
      },
    },
    stream,
  );
  childrenOf.set(log, children);
  return log;
}

/** The trace of a line, if tracing is on. */
function nameTrace(): { trace_id?: string } {
  const traceId = tracing()?.traceId;
  return traceId === undefined ? {} : { trace_id: traceId };
}

/** The reader of standard error, such as a terminal, may be gone, which is no reason to exit. */
function createStandardErrorStream(): DestinationStream {
  return destination({ fd: 2, sync: true }).on('error', () => undefined);
}

/** Changes the level of a log and of all its children. */
export function setLogLevel(log: Logger, level: LogLevel): void {
  for (const each of [log, ...(childrenOf.get(log) ?? [])]) {
    each.level = level;
  }
}

const childrenOf = new WeakMap<Logger, ReadonlySet<Logger>>();

/**
 * The fields of an error that may be logged. Drivers attach whole clients, connection parameters and rows to theirs,
 * which contain secrets and customers' data, so only these are used.
 */
function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) {
    return { message: String(error) };
  }
  const code = 'code' in error ? { code: String(error.code) } : {};
  const cause = error.cause === undefined ? {} : { cause: describeError(error.cause) };
  return { type: error.constructor.name, message: error.message, ...code, stack: error.stack, ...cause };
}

const SECRET_NAMES = [
  'authorization',
  'password',
  'token',
  'access_token',
  'refresh_token',
  'license_token',
  'license_key',
  'secret',
  'client_secret',
  'parameters',
];
