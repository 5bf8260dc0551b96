import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findAffected } from './find-affected.ts';
import { ImportGraph } from './import-graph.ts';
import { listTests } from './list-tests.ts';

const SRC = 'packages/server/src';
const TEST = 'packages/server/test';

const FILES: Readonly<Record<string, string>> = {
  [`${SRC}/app.ts`]: `import './billing/index.ts';\nimport './licensing/index.ts';`,
  [`${SRC}/billing/index.ts`]: `export { pay } from './payments/pay.ts';`,
  [`${SRC}/billing/billing.test.ts`]: `import '../../test/harness/index.ts';`,
  [`${SRC}/billing/payments/pay.ts`]: `import {\n  round,\n} from '../money/round.ts';\nexport const pay = round;`,
  [`${SRC}/billing/payments/pay.test.ts`]: `import '../../../test/harness/index.ts';`,
  [`${SRC}/billing/money/round.ts`]: `export const round = 1;`,
  [`${SRC}/billing/money/round.test.ts`]: `import './round.ts';`,
  [`${SRC}/licensing/index.ts`]: '',
  [`${SRC}/licensing/take-seat.test.ts`]: `import type { pay } from '../billing/payments/pay.ts';\nimport '../../test/harness/index.ts';`,
  [`${TEST}/harness/index.ts`]: `import '../../src/app.ts';\nimport './clone-database.ts';`,
  [`${TEST}/harness/clone-database.ts`]: '',
  [`${TEST}/torture/amounts.test.ts`]: `import '../../src/billing/payments/pay.ts';`,
};

let root: string;
let graph: ImportGraph;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'seathold-affected-'));
  for (const [path, code] of Object.entries(FILES)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), code);
  }
  graph = new ImportGraph(root);
});
afterAll(() => rmSync(root, { recursive: true }));

describe('the tests that need a database', () => {
  it('are those that import, directly or not, what creates databases', () => {
    expect(listTests(graph)).toEqual({
      database: [
        `${SRC}/billing/billing.test.ts`,
        `${SRC}/billing/payments/pay.test.ts`,
        `${SRC}/licensing/take-seat.test.ts`,
      ],
      fast: [`${SRC}/billing/money/round.test.ts`, `${TEST}/torture/amounts.test.ts`],
    });
  });
});

describe('the tests affected by a change', () => {
  it.each([
    ['a source file', `${SRC}/billing/payments/pay.ts`, ['billing.test', 'pay.test', 'amounts.test']],
    ['a file that others import', `${SRC}/billing/money/round.ts`, ['billing.test', 'round.test', 'amounts.test']],
    ['a test', `${SRC}/licensing/take-seat.test.ts`, ['take-seat.test']],
    ['the harness', `${TEST}/harness/index.ts`, ['billing.test', 'pay.test', 'take-seat.test']],
    ['a page of the documentation', 'docs/README.md', []],
  ])('to %s are those next to it and those that import it', (_what, changed, expected) => {
    const names = findAffected(graph, [changed]).map((path) => path.split('/').at(-1)?.replace(/\.ts$/, ''));
    expect(names.sort()).toEqual(expected.sort());
  });

  it('to the tables are all tests', () => {
    expect(findAffected(graph, ['packages/server/migrations/0029-more.sql'])).toEqual(graph.tests);
  });
});
