import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const NOT_OURS = ['**/node_modules/**', '.git/**'];

it.for(['ARCHITECTURE.md', 'CONTRIBUTING.md'])('every file and folder that %s names exists', (page) => {
  const paths = globSync('**/*', { cwd: ROOT, exclude: NOT_OURS }).map((path) => `/${path}`);
  const named = [...read(page).matchAll(/`([\w./-]+(?:\.(?:ts|tsx|sql|md|mjs|js|json|yaml)|\/))`/g)].map(
    ([, name = '']) => name,
  );
  expect(named.length).toBeGreaterThan(5);
  // Matched by the end of the path: the page names a file in a room without the room.
  const missing = named.filter((name) => !paths.some((path) => path.endsWith(`/${name.replace(/\/$/, '')}`)));
  expect(missing).toEqual([]);
});

it('every relative link of the documentation leads to a file', () => {
  const pages = globSync('**/*.md', { cwd: ROOT, exclude: NOT_OURS });
  const links = pages.flatMap((page) =>
    [...proseOf(page).matchAll(/\]\(([^)\s]+)\)|(?:src|href)="([^"]+)"/g)].map(([, link, attribute]) => ({
      page,
      link: link ?? attribute ?? '',
    })),
  );
  const relative = links.filter(({ link }) => !/^(\w+:|#)/.test(link));
  expect(relative.length).toBeGreaterThan(300);
  const broken = relative.filter(
    ({ page, link }) => !existsSync(join(ROOT, dirname(page), decodeURI(link.replace(/#.*/, '')))),
  );
  expect(broken).toEqual([]);
});

it('every npm script that the documentation names exists', () => {
  const { scripts } = JSON.parse(read('package.json'));
  const named = globSync(['*.md', 'docs/**/*.md', 'bench/*.md'], { cwd: ROOT, exclude: ['CHANGELOG.md'] }).flatMap(
    (page) => [...read(page).matchAll(/npm run (\w[\w:]*)/g)].map(([, name = '']) => ({ page, name })),
  );
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter(({ name }) => scripts[name] === undefined)).toEqual([]);
});

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** The page without its code examples. */
const proseOf = (page: string) => read(page).replace(/```[\s\S]*?```/g, '');
