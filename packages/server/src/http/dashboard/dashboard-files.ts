import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { StoredDocument } from '../documents/index.ts';

/** The output of `npm run build` in `packages/dashboard`. */
export interface BuiltDashboard {
  /** The page of the application. `%NONCE%` and similar marks are replaced for each response. */
  page: string;
  /** The same for people who are not logged in: without the frame of the screens and the links that preload it. */
  pageForStrangers: string;
  /** All other files, by their path. */
  files: ReadonlyMap<string, StoredDocument>;
}

const PACKAGE = createRequire(import.meta.url).resolve('@seathold/dashboard/package.json');
const FOLDER = join(dirname(PACKAGE), 'dist');

/**
 * Finds the built dashboard; undefined if there is none. Both environments of a process share it, so each file is read
 * and compressed once. A service that started before the build finds it at a later request.
 */
export function findDashboard(): Promise<BuiltDashboard | undefined> {
  found ??= loadDashboard(FOLDER).then((dashboard) => {
    if (dashboard === undefined) {
      found = undefined;
    }
    return dashboard;
  });
  return found;
}

let found: Promise<BuiltDashboard | undefined> | undefined;

/** Reads the page and the list of files of a folder; undefined if it has no page. */
export async function loadDashboard(folder: string): Promise<BuiltDashboard | undefined> {
  try {
    const page = await readFile(join(folder, 'index.html'), 'utf8');
    const names = await readdir(folder, { recursive: true });
    const files = names.flatMap((name) => {
      const path = `/${name.replaceAll('\\', '/')}`;
      const contentType = CONTENT_TYPES.get(/\.\w+$/.exec(path)?.[0] ?? '');
      return contentType === undefined ? [] : [[path, describeFile(folder, path, contentType)] as const];
    });
    return { page, pageForStrangers: page.replaceAll(FOR_LOGGED_IN, ''), files: new Map(files) };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      return undefined;
    }
    throw error;
  }
}

const FOR_LOGGED_IN = /<link rel="modulepreload"[^>]*>\s*|<!-- logged in -->.*?<!-- end -->\s*/gs;

/** The names below /assets/ contain a hash of the content, so a browser's cache is never outdated. */
function describeFile(folder: string, path: string, contentType: string): StoredDocument {
  const caching = path.startsWith('/assets/')
    ? { maxAgeSeconds: 31_536_000, isImmutable: true }
    : { maxAgeSeconds: 3_600 };
  return new StoredDocument({ contentType, ...caching, headers: FILE_HEADERS }, () => readFile(join(folder, path)));
}

/** A file opened directly in a browser is a document, which may do nothing. */
const FILE_HEADERS = {
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
};

const CONTENT_TYPES: ReadonlyMap<string, string> = new Map([
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
  ['.woff2', 'font/woff2'],
  ['.txt', 'text/plain; charset=utf-8'],
]);
