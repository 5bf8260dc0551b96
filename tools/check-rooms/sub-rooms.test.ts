import { describe, expect, it } from 'vitest';
import { at, build, type Files } from './planted-house.ts';
import { readSourceFiles } from './source-files.ts';
import { checkSubRooms, type KnownKnots } from './sub-rooms.ts';

const KNOT: Files = {
  ...at('billing/plans/a.ts', `import '../invoices/a.ts';`),
  ...at('billing/invoices/a.ts', `\nimport type { P } from '../payments/a.ts';`),
  ...at('billing/payments/a.ts', 'export {};'),
  ...at('billing/payments/b.ts', `import '../plans/b.ts';`),
  ...at('billing/plans/b.ts', 'export {};'),
};

const FOLDERS = ['billing/invoices', 'billing/payments', 'billing/plans'];

const check = (files: Files, known: KnownKnots = []) =>
  checkSubRooms(readSourceFiles(build(files)), ['billing'], known);

describe('between sub-rooms', () => {
  it('a cycle of sub-folders is refused, even if no files import each other, and type imports count', () => {
    const [violation, ...others] = check(KNOT);
    expect(others).toEqual([]);
    expect(violation).toMatchObject({
      rule: 'sub-room-knot',
      path: 'packages/server/src/billing/invoices/a.ts',
      line: 2,
    });
    for (const way of ['plans → billing/invoices (a.ts:1)', 'payments → billing/plans (b.ts:1)']) {
      expect(violation?.advice).toContain(way);
    }
  });

  it('arrows in one direction are accepted', () => {
    expect(check({ ...KNOT, ...at('billing/payments/b.ts', 'export {};') })).toEqual([]);
  });

  it('files at the top of the room, tests and other rooms form no cycle', () => {
    const files = {
      ...at('billing/plans/a.ts', `import '../errors.ts';`),
      ...at('billing/errors.ts', `import './plans/a.ts';\nimport './invoices/a.ts';`),
      ...at('billing/invoices/a.ts', `import '../plans/a.ts';`),
      ...at('billing/plans/a.test.ts', `import '../invoices/a.ts';`),
      ...at('users/plans/a.ts', `import '../../billing/invoices/a.ts';`),
    };
    expect(check(files)).toEqual([]);
  });

  it('a known cycle is accepted as it is, but not when it grows', () => {
    expect(check(KNOT, [FOLDERS])).toEqual([]);
    const grown = {
      ...KNOT,
      ...at('billing/coupons/a.ts', `import '../plans/b.ts';`),
      ...at('billing/plans/b.ts', `import '../coupons/a.ts';`),
    };
    expect(check(grown, [FOLDERS]).map(({ rule }) => rule)).toEqual(['sub-room-knot', 'loose-knot']);
  });

  it('a known cycle that was removed must be taken off the list', () => {
    expect(check(at('billing/plans/a.ts', 'export {};'), [FOLDERS]).map(({ rule }) => rule)).toEqual(['loose-knot']);
  });
});
