import { describe, expect, it, onTestFinished } from 'vitest';
import { createLogger } from '../log/index.ts';
import { type Job, Nudge, runJobs } from './index.ts';

/** Far longer than any test: a job that runs again was woken. */
const NEVER_MS = 3_600_000;

function start(job: Omit<Job, 'name' | 'everyMs'>) {
  const running = runJobs([{ name: 'test.wait', everyMs: NEVER_MS, ...job }], createLogger('silent'));
  onTestFinished(() => running.stop());
  return running;
}

describe('a nudge', () => {
  it('ends the pause of its job, however often it rings', async () => {
    const nudge = new Nudge();
    let runs = 0;
    start({
      nudge,
      run: async () => {
        runs += 1;
        return false;
      },
    });
    for (const expected of [1, 2, 3]) {
      await expect.poll(() => runs).toBe(expected);
      nudge.ring();
    }
  });

  it('makes its job look exactly once more if it rings while the job works', async () => {
    const nudge = new Nudge();
    let runs = 0;
    const done = Promise.withResolvers<void>();
    start({
      nudge,
      run: async () => {
        runs += 1;
        if (runs === 1) {
          nudge.ring();
          nudge.ring();
          nudge.ring();
        } else {
          setImmediate(() => setImmediate(done.resolve));
        }
        return false;
      },
    });
    await done.promise;
    expect(runs).toBe(2);
  });

  it('does not hurry a failed job, which waits as long as without it', async () => {
    const nudge = new Nudge();
    let runs = 0;
    const running = start({
      nudge,
      run: () => {
        runs += 1;
        nudge.ring();
        return Promise.reject(new Error('the database is away'));
      },
    });
    await expect.poll(() => runs).toBe(1);
    await new Promise((resolve) => setImmediate(resolve));
    expect(runs).toBe(1);
    await running.stop();
  });
});

describe('stopping a job', () => {
  it('lets it finish the pending work of its runs after the last of them', async () => {
    const told: string[] = [];
    const running = start({
      run: async () => {
        told.push('run');
        return false;
      },
      finish: async () => {
        told.push('finish');
      },
    });
    await expect.poll(() => told).toEqual(['run']);
    await running.stop();
    expect(told).toEqual(['run', 'finish']);
  });
});
