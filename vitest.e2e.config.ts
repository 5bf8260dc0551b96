import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { makeScratchFolder } from './tools/suite/scratch-folder.ts';

// As in vitest.config.ts.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('node_modules/.cache/node', import.meta.url));
process.env.TMPDIR ??= makeScratchFolder();

/** The suite that needs a browser: the real service as a process of its own, and Chromium in front of it. */
export default defineConfig({
  test: {
    include: ['packages/*/test/**/*.e2e.ts'],
    // Both only end a hang, as in vitest.config.ts.
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
    expect: { poll: { timeout: 300_000 } },
    // Nobody can look at a failure in CI, so a test is tried once more there. The report names it with `retry x1`: its race
    // still has to be fixed.
    retry: process.env.CI === 'true' ? 1 : 0,
    // Each file has a service, databases and a Chromium of its own.
    maxWorkers: 2,
    globalSetup: ['packages/server/test/harness/postgres.ts'],
    setupFiles: ['packages/server/test/harness/drop-databases.ts', 'packages/server/test/browser/lend-databases.ts'],
  },
});
