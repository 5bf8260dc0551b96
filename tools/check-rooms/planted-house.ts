import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { checkRooms } from '../check-rooms.ts';

// For the tests of the checker: a small repository in a temporary folder, in which they plant one fault each.

export type Files = Record<string, string>;

/** What the house promises, what is planted, and the violations it must bring as `path:line rule`, no more. */
export type Fault = [promise: string, planted: Files, expected: string[]];

const SRC = 'packages/server/src';

/** A small house in which every kind of permitted arrow is used once. */
export const SOUND: Files = {
  [`${SRC}/main.ts`]: `import { app } from './app.ts';\nimport { open } from './database/index.ts';\nexport { app, open };`,
  [`${SRC}/app.ts`]: `import { rooms } from './rooms.ts';\nimport './billing/index.ts';\nimport './http/index.ts';\nexport const app = rooms;`,
  [`${SRC}/rooms.ts`]: `import { billing } from './billing/index.ts';\nexport const rooms = [billing];`,
  [`${SRC}/http/index.ts`]: `export { listen } from './listener/index.ts';`,
  [`${SRC}/http/listener/index.ts`]: `export { listen } from './listen.ts';`,
  [`${SRC}/http/listener/listen.ts`]: `import { open } from '../../database/index.ts';\nexport const listen = open;`,
  [`${SRC}/mail/index.ts`]: `import { open } from '../database/index.ts';\nexport const mail = open;`,
  [`${SRC}/database/index.ts`]: `export const open = 'select 1';`,
  [`${SRC}/config/index.ts`]: `export const port = process.env.PORT;`,
  [`${SRC}/clock/index.ts`]: `export const now = () => Date.now();`,
  [`${SRC}/users/index.ts`]: `export type User = string;`,
  [`${SRC}/billing/index.ts`]: `export { billing } from './list-plans.ts';`,
  [`${SRC}/billing/list-plans.ts`]: `import type { User } from '../users/index.ts';\nimport { listen } from '../http/listener/index.ts';\nimport { rows } from './queries.ts';\nexport const billing: User = listen + rows;`,
  [`${SRC}/billing/queries.ts`]: `export const rows = 'select id from plans';`,
  [`${SRC}/billing/list-plans.test.ts`]: `import '../app.ts';\nimport '../http/listener/listen.ts';\nimport '@seathold/server/serve';\nconst at = Date.now(); const env = process.env; const sql = 'delete from plans ';`,
  'packages/server/test/harness/start.ts': `import '../../src/billing/queries.ts';`,
  'packages/cli/src/main.ts': `import { call } from '@seathold/client';\nawait import(\`./commands/\${call}.ts\`);\nimport('@seathold/server/operator');`,
  'packages/dashboard/src/main.tsx': `import '@seathold/client';\nimport './style.css';\nexport const page = <p>Select a seat from the list</p>;`,
  'packages/client/src/index.ts': `export const call = 'x';`,
  'tools/generate.ts': `import '../packages/server/src/app.ts';`,
};

/** One test for each fault, planted in a sound house. */
export function expectEach(faults: readonly Fault[]): void {
  it.each(faults)('%s', async (_promise, planted, expected) => {
    const { violations } = await checkRooms(build({ ...SOUND, ...planted }));
    const seen = violations.map(({ path, line, rule }) => `${path.replace(`${SRC}/`, '')}:${line} ${rule}`);
    expect(seen.sort()).toEqual([...expected].sort());
  });
}

/** Files of the server by their path in src; further names are empty modules unless they bring their code. */
export function at(path: string, code: string, ...others: (string | [path: string, code: string])[]): Files {
  const rest = others.map((other) => (typeof other === 'string' ? ([other, 'export {};'] as const) : other));
  return Object.fromEntries([[path, code] as const, ...rest].map(([name, text]) => [`${SRC}/${name}`, text]));
}

/** Writes the files below a new temporary folder, which goes away after the test. */
export function build(files: Files): string {
  const root = mkdtempSync(join(tmpdir(), 'check-rooms-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [path, code] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), code);
  }
  return root;
}
