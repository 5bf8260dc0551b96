import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSource, type Source } from './parse-source.ts';

/** One file of ours; `path` is relative to the root of the repository and has forward slashes. */
export interface SourceFile extends Source {
  readonly path: string;
}

export interface Violation {
  readonly path: string;
  readonly line: number;
  readonly rule: string;
  readonly advice: string;
}

const PLACES = ['packages', 'tools', 'bench'];
const CODE = /\.(?:[cm]?ts|tsx|[cm]?js|jsx)$/;
const DECLARATIONS = /\.d\.[cm]?ts$/;

const SKIPPED = new Set(['node_modules', 'dist', 'coverage', 'data']);

/** Every source file of the repository, parsed, in the order of their paths. */
export function readSourceFiles(root: string): SourceFile[] {
  const paths = [...topLevelFiles(root), ...PLACES.flatMap((place) => [...walk(root, place)])];
  return paths.sort().map((path) => ({ path, ...parseSource(path, readFileSync(join(root, path), 'utf8')) }));
}

/** Tests see through every door of the server: they check what the doors hide. */
export function isTest(path: string): boolean {
  return /\.test\.tsx?$/.test(path) || /^packages\/[^/]+\/test\//.test(path);
}

function topLevelFiles(root: string): string[] {
  return readdirSync(root).filter(isCode);
}

function* walk(root: string, folder: string): Generator<string> {
  for (const entry of listFolder(join(root, folder))) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory() && !SKIPPED.has(entry.name)) yield* walk(root, path);
    if (entry.isFile() && isCode(entry.name)) yield path;
  }
}

function listFolder(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // A place that does not exist yet holds no files; seeing nothing at all is reported by checkRooms.
    return [];
  }
}

function isCode(name: string): boolean {
  return CODE.test(name) && !DECLARATIONS.test(name);
}
