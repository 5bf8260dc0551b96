import { defineConfig } from 'vitest/config';

/**
 * Every limit here only ends a hang. They are far beyond what any test needs, because a machine that is busy with other
 * work may take twenty times as long; how long something takes is measured in bench/, never here.
 */
const MINUTE_MS = 60_000;

export default defineConfig({
  test: {
    include: ['packages/*/src/**/*.test.ts', 'packages/*/test/**/*.test.ts', 'tools/**/*.test.ts'],
    globalSetup: ['packages/server/test/harness/postgres.ts'],
    // One for each core of a small machine: by default one is left idle, where the tests mostly wait for PostgreSQL.
    maxWorkers: 2,
    testTimeout: 15 * MINUTE_MS,
    hookTimeout: 15 * MINUTE_MS,
    teardownTimeout: 2 * MINUTE_MS,
    expect: { poll: { timeout: 5 * MINUTE_MS, interval: 20 } },
  },
});
