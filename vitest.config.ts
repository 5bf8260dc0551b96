import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['packages/*/src/**/*.test.ts', 'packages/*/test/**/*.test.ts', 'tools/**/*.test.ts'],
    globalSetup: ['packages/server/test/harness/postgres.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
