import { MailNotSent } from './transport.ts';

/** How long to wait after the first failure, the second and so on, in seconds; after the last one nothing more is tried. */
export const RETRY_DELAYS_SECONDS: readonly number[] = [10, 60, 300, 1_800, 7_200, 21_600, 86_400];

/** When to try again after a failure, `attempts` being those that had failed before; undefined: never. */
export function retryDelaySeconds(attempts: number, error: unknown): number | undefined {
  return error instanceof MailNotSent && error.isFinal ? undefined : RETRY_DELAYS_SECONDS[attempts];
}

/** What is kept of a failure next to the mail: one line, bounded. No transport puts into it what the mail said. */
export function describeFailure(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .slice(0, MAX_CHARACTERS)
    .toWellFormed();
}

/** What may be logged of a failure: never a server's own words, which may quote the mail or its reader's address. */
export function nameFailure(error: unknown): string {
  if (error instanceof MailNotSent) {
    return error.reason;
  }
  return error instanceof Error ? ('code' in error ? String(error.code) : error.name) : 'unknown';
}

const MAX_CHARACTERS = 300;
