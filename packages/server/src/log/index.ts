import { type DestinationStream, destination, type Logger, pino } from 'pino';

export type { Logger } from 'pino';

export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';

/**
 * A structured JSON log on standard error, so that standard output stays free for what a command answers.
 * Redaction is a second wall: nothing in the code logs a secret, and what slips in under one of these names is cut.
 */
export function createLogger(level: LogLevel, stream: DestinationStream = destination({ fd: 2, sync: true })): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      redact: {
        paths: SECRET_NAMES.flatMap((name) => [name, `*.${name}`]),
        censor: '[redacted]',
      },
    },
    stream,
  );
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
