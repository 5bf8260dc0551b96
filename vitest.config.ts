import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { affectedTests } from './tools/suite/find-affected.ts';
import { ImportGraph } from './tools/suite/import-graph.ts';
import { listTests } from './tools/suite/list-tests.ts';
import { LongestFirst } from './tools/suite/longest-first.ts';
import { makeScratchFolder } from './tools/suite/scratch-folder.ts';

/**
 * Every limit here only ends a hang. They are far beyond what any test needs, because a machine that is busy with other
 * work may take twenty times as long; how long something takes is measured in bench/, never here.
 */
const MINUTE_MS = 60_000;
const TEST_MS = (process.env.SEATHOLD_SOAK === '1' ? 24 * 60 : 60) * MINUTE_MS;

const root = fileURLToPath(new URL('.', import.meta.url));

// Commands and servers that the tests start need half as long when Node.js keeps what it compiled.
process.env.NODE_COMPILE_CACHE ??= `${root}node_modules/.cache/node`;
process.env.TMPDIR ??= makeScratchFolder();

const graph = new ImportGraph(root);
const tests = listTests(graph);

/**
 * The files of a project run one after the other in the same four processes, which load the server once. So a test file
 * leaves the process as it found it. What it changes there, it changes back: the environment, listeners, spies, timers.
 */
const shared = {
  isolate: false,
  testTimeout: TEST_MS,
  hookTimeout: TEST_MS,
  expect: { poll: { timeout: 15 * MINUTE_MS, interval: 20 } },
};

export default defineConfig({
  test: {
    // Two for each core of a small machine: half of the time, a test waits for PostgreSQL, a process or a timeout.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    teardownTimeout: 2 * MINUTE_MS,
    // For --changed.
    experimental: { vcsProvider: affectedTests(graph) },
    projects: [
      {
        test: {
          ...shared,
          name: 'database',
          include: tests.database,
          globalSetup: ['packages/server/test/harness/postgres.ts'],
          setupFiles: ['packages/server/test/harness/drop-databases.ts'],
        },
      },
      { test: { ...shared, name: 'fast', include: tests.fast } },
    ],
  },
});
