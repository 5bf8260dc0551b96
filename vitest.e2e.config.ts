import { defineConfig } from 'vitest/config';

/** The suite that needs a browser: the real service as a process of its own, and Chromium in front of it. */
export default defineConfig({
  test: {
    include: ['packages/*/test/**/*.e2e.ts'],
    // Both only end a hang, as in vitest.config.ts.
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
    expect: { poll: { timeout: 300_000 } },
    // Each file has a service, a database and a browser of its own; half of the time it waits for one of them.
    maxWorkers: 2,
  },
});
