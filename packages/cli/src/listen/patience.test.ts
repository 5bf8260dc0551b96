import { AuthenticationError, ConnectionError, RateLimitError, SeatholdError } from '@seathold/client';
import { describe, expect, test } from 'vitest';
import { withPatience } from './patience.ts';

const LOST = new ConnectionError({ code: 'connection_failed', message: 'The connection was lost.', wasSent: true });
const LIMITED = new RateLimitError({
  code: 'rate_limit_exceeded',
  message: 'Too many.',
  status: 429,
  retryAfterSeconds: 1,
});
const REVOKED = new AuthenticationError({ code: 'invalid_token', message: 'The token is not valid.', status: 401 });

describe('patience', () => {
  test('waits out a lost connection, and a rate limit for as long as it asks, and reports it once', async () => {
    const told: Array<SeatholdError | undefined> = [];
    const failures: SeatholdError[] = [LOST, LIMITED];
    const beganAt = performance.now();
    const result = await withPatience(
      { signal: new AbortController().signal, onTrouble: (error) => told.push(error) },
      async () => {
        const failure = failures.shift();
        if (failure !== undefined) {
          throw failure;
        }
        return 'done';
      },
    );
    expect(result).toBe('done');
    expect(told).toEqual([LOST, undefined]);
    expect(performance.now() - beganAt).toBeGreaterThanOrEqual(1_490);
  });

  test('does not wait for errors that are permanent', async () => {
    const patience = { signal: new AbortController().signal, onTrouble: () => undefined };
    await expect(withPatience(patience, () => Promise.reject(REVOKED))).rejects.toBe(REVOKED);
    const bug = new TypeError('a bug');
    await expect(withPatience(patience, () => Promise.reject(bug))).rejects.toBe(bug);
  });

  test('stops waiting when the signal is aborted', async () => {
    const stopping = new AbortController();
    const waiting = withPatience({ signal: stopping.signal, onTrouble: () => stopping.abort() }, () =>
      Promise.reject(
        new SeatholdError({ code: 'service_unavailable', message: '', status: 503, retryAfterSeconds: 3600 }),
      ),
    );
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
  });
});
