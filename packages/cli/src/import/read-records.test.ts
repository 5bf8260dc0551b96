import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type FileRecord, type Format, readRecords } from './read-records.ts';
import { COLUMNS } from './row-schemas.ts';

async function read(format: Format, content: string) {
  const folder = await mkdtemp(join(tmpdir(), 'import-'));
  try {
    const path = join(folder, 'file');
    await writeFile(path, content);
    const records: FileRecord[] = [];
    for await (const record of readRecords(path, format, COLUMNS)) {
      records.push(record);
    }
    return records;
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe('CSV', () => {
  it('becomes the same records as JSON Lines, each with the line that it starts on', async () => {
    const records = await read(
      'csv',
      [
        'kind,external_id,name,max_seats,key_aliases,features.ai_assistance,features.layers,features.edition,metadata.region',
        'license,007,"two',
        'lines",25,OLD-1; OLD-2,true,12,studio,0049',
        '',
        'organization,o-1,"Smith, Jones & ""Co""",,,,,,',
      ].join('\r\n'),
    );
    expect(records).toEqual([
      {
        line: 2,
        value: {
          kind: 'license',
          external_id: '007',
          name: 'two\r\nlines',
          max_seats: 25,
          key_aliases: ['OLD-1', 'OLD-2'],
          features: { ai_assistance: true, layers: 12, edition: 'studio' },
          metadata: { region: '0049' },
        },
      },
      { line: 5, value: { kind: 'organization', external_id: 'o-1', name: 'Smith, Jones & "Co"' } },
    ]);
  });

  it('may start with a byte order mark and separate its cells with semicolons', async () => {
    const [record] = await read('csv', '\uFEFFexternal_id;name\no-1;"Müller; Söhne"\n');
    expect(record).toEqual({ line: 2, value: { external_id: 'o-1', name: 'Müller; Söhne' } });
  });

  it('is rejected before its first record if a column is unknown or appears twice', async () => {
    await expect(read('csv', 'external_id,nmae\n1,2\n')).rejects.toThrow('Unknown columns: "nmae".');
    await expect(read('csv', 'name,name\n1,2\n')).rejects.toThrow('"name" appears twice');
  });

  it('reports a line with too many cells, and continues after it', async () => {
    expect(await read('csv', 'external_id,name\n1,2,3\n4,5\n')).toEqual([
      { line: 2, problem: 'has 3 cells, but the first line names 2 columns' },
      { line: 3, value: { external_id: '4', name: '5' } },
    ]);
  });

  it('reports the line on which a quote is not closed', async () => {
    const records = await read('csv', 'external_id,name\n1,a\n2,"b\n3,c\n');
    expect(records[0]).toEqual({ line: 2, value: { external_id: '1', name: 'a' } });
    expect(records.slice(1)).toEqual([{ line: 3, problem: expect.stringContaining('is not valid CSV') }]);
  });

  it('reads column names as names, not as members of objects', async () => {
    const [record] = await read('csv', 'external_id,metadata.__proto__\n1,x\n');
    expect(JSON.stringify(record?.problem === undefined && record?.value)).toBe(
      '{"external_id":"1","metadata":{"__proto__":"x"}}',
    );
  });
});

describe('JSON Lines', () => {
  it('reports each line that is not JSON or is too long, and skips empty ones', async () => {
    const long = JSON.stringify({ name: 'x'.repeat(300_000) });
    expect(await read('jsonl', `\uFEFF{"a":1}\n\n{"a":\n${long}\n{"ä":"ü"}`)).toEqual([
      { line: 1, value: { a: 1 } },
      { line: 3, problem: 'is not JSON' },
      { line: 4, problem: 'is longer than 262144 bytes' },
      { line: 5, value: { ä: 'ü' } },
    ]);
  });
});
