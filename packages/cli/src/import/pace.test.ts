import { ConnectionError, RateLimitError, ServerError, ValidationError } from '@seathold/client';
import { expect, it } from 'vitest';
import { Pace } from './pace.ts';

it('an import waits as long as the service asks, however many times, and returns the response', async () => {
  const waits: number[] = [];
  const pace = new Pace(async (milliseconds) => void waits.push(milliseconds));
  let asked = 0;
  const answer = await pace.send(async () => {
    asked += 1;
    if (asked <= 20) {
      throw new RateLimitError({
        code: 'rate_limit_exceeded',
        message: 'Too many.',
        status: 429,
        retryAfterSeconds: 60,
      });
    }
    return 'done';
  });
  expect([answer, asked]).toEqual(['done', 21]);
  expect(Math.max(...waits)).toBeGreaterThan(59_000);
});

it('an import holds back all requests while one has to wait', async () => {
  const waits: number[] = [];
  const pace = new Pace(async (milliseconds) => void waits.push(milliseconds));
  let isFirst = true;
  await pace.send(async () => {
    if (isFirst) {
      isFirst = false;
      throw new RateLimitError({
        code: 'rate_limit_exceeded',
        message: 'Too many.',
        status: 429,
        retryAfterSeconds: 60,
      });
    }
  });
  await pace.send(async () => undefined);
  expect(waits).toHaveLength(2);
});

it('an import gives up when the service stays unreachable, and immediately when the row is to blame', async () => {
  const pace = new Pace(async () => undefined);
  let asked = 0;
  const failWith = (error: Error) =>
    pace.send(() => {
      asked += 1;
      throw error;
    });
  const gone = new ConnectionError({ code: 'connection_failed', message: 'Refused.', wasSent: false });
  await expect(failWith(gone)).rejects.toBe(gone);
  expect(asked).toBe(9);
  const broken = new ServerError({ code: 'internal_error', message: 'Broken.', status: 500 });
  await expect(failWith(broken)).rejects.toBe(broken);
  expect(asked).toBe(18);
  const wrong = new ValidationError({ code: 'validation_failed', message: 'Wrong.', status: 422 });
  await expect(failWith(wrong)).rejects.toBe(wrong);
  expect(asked).toBe(19);
});
