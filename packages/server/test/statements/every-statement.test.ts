import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { listStatements } from '../../src/database/index.ts';
import { execute, startTestApp } from '../harness/index.ts';

const SOURCE = fileURLToPath(new URL('../../src/', import.meta.url));
const WRITES_SQL = /\b(?:statement|defineList)\(\{\s+name: '(\w+)'/g;

const written = new Set<string>();
const { database } = await startTestApp();

// Loading a module registers its statements.
beforeAll(async () => {
  for (const file of await readdir(SOURCE, { recursive: true })) {
    if (!file.endsWith('.ts') || file.endsWith('.test.ts')) continue;
    const names = [...(await readFile(`${SOURCE}${file}`, 'utf8')).matchAll(WRITES_SQL)].map(([, name = '']) => name);
    if (names.length === 0) continue;
    await import(`${SOURCE}${file}`);
    for (const name of names) written.add(name);
  }
});

describe('every statement', () => {
  it('is registered', () => {
    const registered = new Set(listStatements().map(({ name }) => name));
    expect(written.size).toBeGreaterThan(20);
    expect([...written].filter((name) => !registered.has(name))).toEqual([]);
  });

  it('can be prepared on the migrated schema: syntax, tables, columns and types, including lists with all filters', async () => {
    const refused: string[] = [];
    for (const [at, { name, text }] of listStatements().entries()) {
      await execute(database, `prepare statement_${at} as ${text}`).catch((error: Error) =>
        refused.push(`${name}: ${error.message}`),
      );
    }
    expect(refused).toEqual([]);
  });
});
