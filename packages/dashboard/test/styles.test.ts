import { existsSync, globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../src/', import.meta.url));
const mantine = dirname(createRequire(import.meta.url).resolve('@mantine/core/styles.css'));

it('the dashboard includes the styles of every Mantine component it uses', () => {
  const imported = readFileSync(`${root}app/mantine-styles.ts`, 'utf8');
  const used = new Set(
    globSync('**/*.tsx', { cwd: root }).flatMap((file) => {
      const [, names = ''] = /import \{([^}]*)\} from '@mantine\/core'/.exec(readFileSync(root + file, 'utf8')) ?? [];
      return names.split(',').map((name) => name.trim());
    }),
  );
  const missing = [...used].filter(
    (name) => existsSync(`${mantine}/styles/${name}.css`) && !imported.includes(`/${name}.css'`),
  );
  expect(used.size).toBeGreaterThan(10);
  expect(missing).toEqual([]);
});
