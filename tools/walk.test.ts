import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { walkRoom } from './walk.ts';

const FILES: Readonly<Record<string, string>> = {
  'packages/server/src/shop/sell/sell.ts': `
    import { check } from './check.ts';
    import { type Row, find } from '../rows/rows.ts';
    import type { Shape } from './shape.ts';
    import { log } from '../../log/index.ts';
    import { newId } from 'ids';`,
  'packages/server/src/shop/sell/check.ts': `export { rule } from './rule.ts'; export type { Shape } from './shape.ts';`,
  'packages/server/src/shop/sell/rule.ts': `export * from '../rows/rows.ts';`,
  'packages/server/src/shop/rows/rows.ts': `import { sell } from '../sell/sell.ts';`,
};

function read(path: string): string {
  const code = FILES[path];
  if (code === undefined) throw new Error(`${path} was read`);
  return code;
}

it('the walk lists the files that run, depth first and each once', () => {
  expect(walkRoom('packages/server/src/shop/sell/sell.ts', read)).toEqual([
    'packages/server/src/shop/sell/sell.ts',
    'packages/server/src/shop/sell/check.ts',
    'packages/server/src/shop/sell/rule.ts',
    'packages/server/src/shop/rows/rows.ts',
  ]);
});

it('a purchase is read in at most 25 files, down to what settles its payment', () => {
  const billing = 'packages/server/src/billing';
  const root = join(import.meta.dirname, '..');
  const files = walkRoom(`${billing}/subscriptions/create-subscription.ts`, (path) =>
    readFileSync(join(root, path), 'utf8'),
  );
  expect(files).toContain(`${billing}/payments/settle-payment.ts`);
  expect(files.length).toBeLessThanOrEqual(25);
});
