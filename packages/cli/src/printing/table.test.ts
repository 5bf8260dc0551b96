import { describe, expect, it } from 'vitest';
import { type Column, Table } from './table.ts';

interface Row {
  id: string;
  name: string;
  seats: number;
}

const COLUMNS: ReadonlyArray<Column<Row>> = [
  { title: 'ID', value: ({ id }) => id },
  { title: 'NAME', value: ({ name }) => name, canShrink: true },
  { title: 'SEATS', value: ({ seats }) => seats, align: 'right' },
];

const row = (name: string, seats = 1): Row => ({ id: 'org_1', name, seats });

describe('a table', () => {
  it('aligns text to the left and numbers to the right', () => {
    expect(new Table(COLUMNS, undefined).add([row('Acme', 12), row('Beta Corporation', 3)])).toEqual([
      'ID     NAME              SEATS',
      'org_1  Acme                 12',
      'org_1  Beta Corporation      3',
    ]);
  });

  it('prints its header once, however many pages there are', () => {
    const table = new Table(COLUMNS, undefined);
    table.add([row('Acme')]);
    expect(table.add([row('Beta')])).toEqual(['org_1  Beta      1']);
  });

  it('truncates names when the terminal is narrow, but never identifiers', () => {
    expect(new Table(COLUMNS, 24).add([row('A very long name')])).toEqual([
      'ID     NAME        SEATS',
      'org_1  A very lo…      1',
    ]);
  });

  it('drops columns from the right if truncating is not enough', () => {
    expect(new Table(COLUMNS, 18).add([row('A very long name')])).toEqual(['ID     NAME', 'org_1  A very lon…']);
    expect(new Table(COLUMNS, 5).add([row('A very long name')])).toEqual(['ID', 'org_1']);
  });

  it('counts a wide letter as two cells', () => {
    expect(new Table(COLUMNS, undefined).add([row('한국'), row('Acme')])).toEqual([
      'ID     NAME  SEATS',
      'org_1  한국      1',
      'org_1  Acme      1',
    ]);
  });

  it('shows no control characters: a name cannot move the cursor or forge a row', () => {
    const [, line] = new Table(COLUMNS, undefined).add([row('A\u001b[2Jb\nc\u202ed')]);
    expect(line).toBe('org_1  Ab c d      1');
  });

  it('shows a dash for a missing value', () => {
    expect(new Table(COLUMNS, undefined).add([row('')])[1]).toBe('org_1  -         1');
  });
});
