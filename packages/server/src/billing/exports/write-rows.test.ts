import { describe, expect, it } from 'vitest';
import { writeHeader, writeRows } from './write-rows.ts';

const COLUMNS = {
  name: ({ name }: { name: string | null; amount: number }) => name,
  amount: ({ amount }: { name: string | null; amount: number }) => amount,
};
const csv = (name: string | null, amount = 1) => writeRows('csv', COLUMNS, [{ name, amount }]);

describe('a CSV file', () => {
  it('has a header with the names of its columns', () => {
    expect(writeHeader('csv', COLUMNS)).toBe('name,amount\r\n');
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', ' =1', '\r=1', '＝1', '|cmd', '%0a'])(
    'never lets a spreadsheet run %j',
    (name) => {
      expect(csv(name)).toMatch(/^"?'/);
    },
  );

  it('quotes text that would end a cell or a line', () => {
    expect(csv('Acme, "Inc"\r\nBerlin')).toBe('"Acme, ""Inc""\r\nBerlin",1\r\n');
    expect(csv('a;b')).toBe('"a;b",1\r\n');
    expect(csv(' padded ')).toBe('" padded ",1\r\n');
  });

  it('leaves numbers and ordinary text alone', () => {
    expect(csv('Müller GmbH', -5)).toBe('Müller GmbH,-5\r\n');
    expect(csv(null, 0)).toBe(',0\r\n');
  });
});

describe('a JSON Lines file', () => {
  it('has one object per line, with text unchanged', () => {
    expect(writeHeader('jsonl', COLUMNS)).toBe('');
    const rows = [
      { name: '=1+1\n', amount: 5 },
      { name: null, amount: 6 },
    ];
    const lines = writeRows('jsonl', COLUMNS, rows).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual(rows);
  });
});
