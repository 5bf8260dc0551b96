import { globSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../src/', import.meta.url));

interface Catalogue {
  en: Readonly<Record<string, string>>;
  de: Readonly<Record<string, string>>;
}

/** Every area's messages, found by their file names. */
async function loadCatalogues(): Promise<Array<[area: string, messages: Catalogue]>> {
  const files = globSync('**/messages.ts', { cwd: root }).sort();
  return Promise.all(
    files.map(async (file) => {
      const module: Record<string, { messages: Catalogue }> = await import(pathToFileURL(root + file).href);
      const [hook] = Object.values(module);
      return [file, hook?.messages ?? { en: {}, de: {} }];
    }),
  );
}

const catalogues = await loadCatalogues();

describe.each(catalogues)('the messages of %s', (_area, { en, de }) => {
  it('exist in every language', () => {
    expect(Object.keys(en).length).toBeGreaterThan(0);
    expect(Object.keys(de).sort()).toEqual(Object.keys(en).sort());
    expect([...Object.values(en), ...Object.values(de)].filter((text) => text.trim() === '')).toEqual([]);
  });

  it('have the same values in every language', () => {
    const valuesOf = (text = '') => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name).sort();
    for (const key of Object.keys(en)) {
      expect(valuesOf(de[key]), key).toEqual(valuesOf(en[key]));
    }
  });
});

it('the test finds the message catalogues of all areas', () => {
  expect(catalogues.length).toBeGreaterThan(4);
});
