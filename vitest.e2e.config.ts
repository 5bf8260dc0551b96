import { defineConfig } from 'vitest/config';

/** The suite that needs a browser: the real service as a process of its own, and Chromium in front of it. */
export default defineConfig({
  test: {
    include: ['packages/*/test/**/*.e2e.ts'],
    testTimeout: 90_000,
    hookTimeout: 120_000,
    fileParallelism: false,
  },
});
