import { expect, it } from 'vitest';
import type { Queries } from '../../database/index.ts';
import { WaitingCalls } from './waiting-calls.ts';

it('ten thousand requests can wait; the next is refused with service_unavailable, and accepted once one has left', async () => {
  const { wait } = createCalls();
  const ending = new AbortController();
  const first = new AbortController();
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

it('all requests end when the process stops, and later ones end immediately', async () => {
  const { wait, stopping } = createCalls();
  const { signal } = new AbortController();
  const open = [wait(1, signal), wait(1, signal), wait(2, signal)];
  stopping.abort();
  await Promise.all(open);
  await wait(3, signal);
});

function createCalls() {
  const stopping = new AbortController();
  const calls = new WaitingCalls(WITHOUT_LINES, stopping.signal);
  const wait = (number: number, gone: AbortSignal) => {
    const call = { organizationId: 'org_1', licenseId: 'lic_1', waitId: `wait_${number}`, changes: 0 };
    return calls.waitForTurn({ ...call, gone, milliseconds: MINUTES_MS });
  };
  return { wait, stopping };
}

/** Longer than a test may take. */
const MINUTES_MS = 7_200_000;

/** Finds none of the watched lines. */
const WITHOUT_LINES = { list: () => Promise.resolve([]) } as unknown as Queries;
