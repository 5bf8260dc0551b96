import { beforeAll, describe, expect } from 'vitest';
import { it } from '../../../test/harness/fixtures.ts';
import type { TestApp } from '../../../test/harness/index.ts';
import { type Executor, listStatements, many } from '../../database/index.ts';
import { defineList, filterBy, type PageRequest, sortBy, withValues } from '../index.ts';

interface Row {
  id: string;
  size: number;
  made_at: Date;
}

const LIST = defineList({
  name: 'test_list',
  parameters: { from: 'text' },
  returns: many<Row>(),
  defaultSort: 'size',
  sorts: {
    size: sortBy.integer('r.size'),
    created_at: sortBy.time('made_at', ({ made_at: at }: Row) => at.toISOString()),
  },
  filters: ({ from }) => ({
    id: filterBy.text('r.id'),
    kind: filterBy.cases({ small: 'r.size < 3', later: `r.id > ${from}` }),
    created_after: filterBy.after('made_at'),
  }),
  id: 'r.id',
  sql: ({ from }, { page }) => `select r.id, r.size, made_at from (values
      ('a', 1::bigint, timestamptz '2026-01-01'), ('b', 2, '2026-01-02'), ('c', 2, '2026-01-03'), ('d', 4, '2026-01-04')
    ) as r (id, size, made_at) where r.id >= ${from} and ${page}`,
});

const request = (given: Partial<PageRequest>): PageRequest => ({
  limit: 10,
  sort: 'size',
  descending: false,
  after: undefined,
  filters: {},
  ...given,
});

const idsOf = async (app: TestApp, given: Partial<PageRequest>, from = '') =>
  (await LIST.getPage(app.database, request(given), { from }, (row) => row.id)).items.join('');

describe('defineList', () => {
  it('reads page after page in both directions, and stops at the end of the list', async ({ app }) => {
    for (const [descending, expected] of [
      [false, ['ab', 'cd']],
      [true, ['dc', 'ba']],
    ] as const) {
      const first = await LIST.getPage(app.database, request({ limit: 2, descending }), { from: '' }, (row) => row.id);
      const second = await LIST.getPage(
        app.database,
        request({ limit: 2, descending, after: first.next }),
        { from: '' },
        (row) => row.id,
      );
      expect([first.items.join(''), second.items.join('')]).toEqual(expected);
      expect(first.next).toEqual({ value: '2', id: descending ? 'c' : 'b' });
      expect(second.next).toBeUndefined();
    }
  });

  it('continues from a sort’s text of the last row', async ({ app }) => {
    const page = await LIST.getPage(
      app.database,
      request({ limit: 1, sort: 'created_at' }),
      { from: '' },
      (row) => row.id,
    );
    expect(page.next?.value).toMatch(/^20\d\d-.*Z$/);
    expect(await idsOf(app, { sort: 'created_at', after: page.next })).toBe('bcd');
  });

  it('applies the given filters together with its parameters', async ({ app }) => {
    expect(await idsOf(app, { filters: { id: 'b' } })).toBe('b');
    expect(await idsOf(app, { filters: { kind: 'small' } }, 'b')).toBe('bc');
    expect(await idsOf(app, { filters: { kind: 'later', created_after: '2026-01-02T12:00:00Z' } }, 'c')).toBe('d');
  });

  it('builds the text of a combination once, and leaves no prepared statement on a connection', async () => {
    const seen: unknown[] = [];
    const recorder: Executor = {
      execute: (statement) => {
        seen.push(statement);
        return Promise.resolve({ rows: [], rowCount: 0 });
      },
    };
    for (const id of ['a', 'b']) {
      await LIST.getPage(recorder, request({ filters: { id } }), { from: '' }, () => 0);
    }
    expect(seen[0]).toEqual(seen[1]);
    expect(seen[0]).toMatchObject({ name: 'test_list', isPlannedOnEachCall: true });
  });

  describe('registering statements for tools', () => {
    let texts: string[];
    beforeAll(() => {
      texts = listStatements().flatMap(({ name, text }) => (name === 'test_list' ? [text] : []));
    });

    it('covers every sort in both directions', () => {
      for (const column of ['r.size', 'made_at']) {
        for (const direction of ['asc', 'desc']) {
          expect(texts.some((text) => text.includes(`order by ${column} ${direction}`))).toBe(true);
        }
      }
    });

    it('covers every filter and case, and the start of the next page', () => {
      for (const part of ['r.id = $2::text', 'r.size < 3', 'r.id > $1::text', 'made_at > ', '(r.size, r.id) < (']) {
        expect(texts.some((text) => text.includes(part))).toBe(true);
      }
    });
  });

  it('refuses a text that does not use a parameter', () => {
    const source = { returns: many<Row>(), defaultSort: 'id', sorts: { id: sortBy.text('id') }, filters: {} };
    const define = () =>
      defineList({ ...source, name: 'test_unused', parameters: { from: 'text' }, sql: (_, { page }) => `… ${page}` });
    expect(define).toThrow('the statement test_unused does not use its parameter from');
  });

  it('accepts filter values later, if only the whole program knows them', async ({ app }) => {
    const limited = withValues(LIST, 'id', { title: 'Letter', values: ['a', 'b'] });
    expect(limited.filters.id).toEqual({ kind: 'enum', title: 'Letter', values: ['a', 'b'] });
    expect(
      (await limited.getPage(app.database, request({ filters: { id: 'b' } }), { from: '' }, (row) => row.id)).items,
    ).toEqual(['b']);
  });
});
