import { expect, it } from 'vitest';
import type { Queries } from '../../database/index.ts';
import { WaitingCalls } from './waiting-calls.ts';

it('ten thousand requests can wait; the next is refused with service_unavailable, and accepted once one has left', async () => {
  const calls = new WaitingCalls(WITHOUT_LINES);
  const ending = new AbortController();
  const first = new AbortController();
  const wait = (number: number, signal: AbortSignal) =>
    calls.waitForTurn({
      organizationId: 'org_1',
      licenseId: 'lic_1',
      waitId: `wait_${number}`,
      changes: 0,
      ending: signal,
      milliseconds: 25_000,
    });
  const open = Array.from({ length: 10_000 }, (_, number) => wait(number, number === 0 ? first.signal : ending.signal));
  await expect(wait(10_000, ending.signal)).rejects.toMatchObject({
    code: 'service_unavailable',
    headers: { 'retry-after': '5' },
  });
  first.abort();
  await open[0];
  open.push(wait(10_001, ending.signal));
  ending.abort();
  await Promise.all(open);
});

/** Finds none of the watched lines. */
const WITHOUT_LINES = { list: () => Promise.resolve([]) } as unknown as Queries;
