import { describe, expect, it } from 'vitest';
import { pauseBeforeRestart, sandboxProcesses } from './restart-rules.ts';

describe('the sandbox', () => {
  it('is served by a quarter of the processes, and by at least one', () => {
    expect([2, 3, 4, 7, 8, 64].map(sandboxProcesses)).toEqual([1, 1, 1, 1, 2, 16]);
  });
});

describe('a process that died', () => {
  it('is replaced immediately, and with growing pauses if its successors die at startup', () => {
    expect([0, 1, 2, 3, 4, 20].map(pauseBeforeRestart)).toEqual([0, 0, 500, 1_000, 2_000, 10_000]);
  });
});
