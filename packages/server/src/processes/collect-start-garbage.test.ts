import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { collectStartGarbage } from './collect-start-garbage.ts';

const collect = vi.fn();

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('gc', collect);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  collect.mockReset();
});

it('the garbage of the start is collected once', () => {
  collectStartGarbage();
  vi.advanceTimersByTime(3_600_000);

  expect(collect).toHaveBeenCalledOnce();
  expect(collect).toHaveBeenCalledWith({ type: 'major', execution: 'sync', flavor: 'last-resort' });
});

it('a service that stops soon collects nothing', async () => {
  const stop = collectStartGarbage();
  await stop();
  vi.advanceTimersByTime(3_600_000);

  expect(collect).not.toHaveBeenCalled();
});

it('Node.js without the option is left alone', () => {
  vi.stubGlobal('gc', undefined);
  collectStartGarbage();

  expect(() => vi.advanceTimersByTime(3_600_000)).not.toThrow();
});
