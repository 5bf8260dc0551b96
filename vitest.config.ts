import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/**
 * Every limit here only ends a hang. They are far beyond what any test needs, because a machine that is busy with other
 * work may take twenty times as long; how long something takes is measured in bench/, never here.
 */
const MINUTE_MS = 60_000;
const TEST_MS = (process.env.SEATHOLD_SOAK === '1' ? 24 * 60 : 60) * MINUTE_MS;

// Commands and servers that the tests start need half as long when Node.js keeps what it compiled.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('node_modules/.cache/node', import.meta.url));

export default defineConfig({
  test: {
    include: ['packages/*/src/**/*.test.ts', 'packages/*/test/**/*.test.ts', 'tools/**/*.test.ts'],
    globalSetup: ['packages/server/test/harness/postgres.ts'],
    // One for each core of a small machine: by default one is left idle, where the tests mostly wait for PostgreSQL.
    maxWorkers: 2,
    testTimeout: TEST_MS,
    hookTimeout: TEST_MS,
    teardownTimeout: 2 * MINUTE_MS,
    expect: { poll: { timeout: 15 * MINUTE_MS, interval: 20 } },
  },
});
