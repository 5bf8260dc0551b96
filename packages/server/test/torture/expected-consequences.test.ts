import { expect, it } from 'vitest';
import { DatabaseUnavailable } from '../../src/database/index.ts';
import { createLogger } from '../../src/log/index.ts';
import { isOutlivedLease } from './expected-consequences.ts';

const MADE_AGAIN = 'could not record an attempt; it will be made again';
const TOO_LATE = 'the outcome of an attempt could not be recorded in time';

/** The line that the service logs. */
function logged(error: unknown, message: string): string {
  const lines: string[] = [];
  createLogger('error', { write: (line) => void lines.push(line) }).error({ err: error }, message);
  return lines.join('');
}

const away = new DatabaseUnavailable('PostgreSQL is starting', new Error('57P03'));

it.each<[string, boolean, string]>([
  ['an attempt whose lease ended during an outage', true, logged(new Error(TOO_LATE, { cause: away }), MADE_AGAIN)],
  ['an attempt whose lease ended without an outage', false, logged(new Error(TOO_LATE), MADE_AGAIN)],
  [
    'an attempt that could not be written because of another error',
    false,
    logged(new Error('deadlock', { cause: away }), MADE_AGAIN),
  ],
  ['a lease that ended for any other reason', false, logged(new Error(TOO_LATE, { cause: away }), 'a job failed')],
  ['another cause', false, logged(new Error(TOO_LATE, { cause: new TypeError('a bug') }), MADE_AGAIN)],
  ['a line that is not JSON', false, 'Error: out of memory'],
])('%s: expected is %s', (_what, isExpected, line) => {
  expect(isOutlivedLease(line)).toBe(isExpected);
});
