import { MailNotSent } from './transport.ts';

/**
 * How long to wait after the first failure, the second and so on, in seconds; there is no attempt after the last one.
 */
export const RETRY_DELAYS_SECONDS: readonly number[] = [10, 60, 300, 1_800, 7_200, 21_600, 86_400];

/** When to retry after a failure; `attempts` is the number of earlier failures; undefined: never. */
export function retryDelaySeconds(attempts: number, error: unknown): number | undefined {
  return error instanceof MailNotSent && error.isFinal ? undefined : RETRY_DELAYS_SECONDS[attempts];
}

/**
 * The description of a failure stored with the mail: one line, bounded. No transport includes the mail's content in it.
 */
export function describeFailure(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .slice(0, MAX_CHARACTERS)
    .toWellFormed();
}

/** The part of a failure that may be logged: never the server's text, which may quote the mail or its recipient. */
export function nameFailure(error: unknown): string {
  if (error instanceof MailNotSent) {
    return error.reason;
  }
  return error instanceof Error ? ('code' in error ? String(error.code) : error.name) : 'unknown';
}

const MAX_CHARACTERS = 300;
