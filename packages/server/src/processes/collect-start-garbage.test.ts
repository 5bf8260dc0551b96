import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { collectStartGarbage } from './collect-start-garbage.ts';

const collect = vi.fn();
let utilization = 0;

beforeEach(() => {
  utilization = 0;
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  vi.stubGlobal('gc', collect);
  vi.spyOn(performance, 'eventLoopUtilization').mockImplementation(() => ({ idle: 0, active: 0, utilization }));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  collect.mockReset();
});

it('the garbage of the start is collected once', () => {
  collectStartGarbage();
  vi.advanceTimersByTime(3_600_000);

  expect(collect).toHaveBeenCalledOnce();
  expect(collect).toHaveBeenCalledWith({ type: 'major', execution: 'sync', flavor: 'last-resort' });
});

it('a busy process collects it when it becomes idle', () => {
  utilization = 0.5;
  collectStartGarbage();
  vi.advanceTimersByTime(60_000);
  expect(collect).not.toHaveBeenCalled();

  utilization = 0.01;
  vi.advanceTimersByTime(60_000);
  expect(collect).toHaveBeenCalledOnce();
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
