import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['packages/*/src/**/*.test.ts', 'packages/*/test/**/*.test.ts', 'tools/**/*.test.ts'],
    globalSetup: ['packages/server/test/harness/postgres.ts'],
    // One for each core of a small machine: by default one is left idle, where the tests mostly wait for PostgreSQL.
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
