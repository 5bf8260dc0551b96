import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Metrics } from './metrics.ts';

const lagOf = async (registry: ReturnType<typeof Metrics.ofProcess>, figure: string) => {
  const text = await registry.metrics();
  return Number(new RegExp(`^seathold_nodejs_eventloop_lag_${figure}_seconds (.+)$`, 'm').exec(text)?.[1]);
};

it('the metric shows how long the event loop was blocked, and is reset by a scrape', async () => {
  const registry = Metrics.ofProcess();
  // The histogram knows when the next sample is due only after its first sample.
  await sleep(1_100);
  const blockedUntilMs = performance.now() + 1_100;
  while (performance.now() < blockedUntilMs);
  await sleep(600);
  // The sample that was due during the block came at least 600 ms late.
  expect(await lagOf(registry, 'max')).toBeGreaterThan(0.5);
  await expect.poll(() => lagOf(registry, 'max')).toBeLessThan(0.5);
});

it('each figure is shown once', async () => {
  const names = (await Metrics.ofProcess().getMetricsAsJSON()).map(({ name }) => name);
  expect(names.filter((name) => name.includes('eventloop_lag')).toSorted()).toEqual(
    ['max', 'mean', 'min', 'p50', 'p90', 'p99']
      .map((figure) => `seathold_nodejs_eventloop_lag_${figure}_seconds`)
      .concat(['seathold_nodejs_eventloop_lag_seconds'])
      .toSorted(),
  );
});
