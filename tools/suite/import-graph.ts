import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/** What imports what, by paths in the repository. Types are not loaded, so importing them does not count. */
export class ImportGraph {
  readonly root: string;
  readonly tests: readonly string[];
  readonly #imports = new Map<string, readonly string[]>();

  constructor(root: string) {
    this.root = root;
    this.tests = TESTS.flatMap((pattern) => globSync(pattern, { cwd: root })).sort();
  }

  /** A file, all that it imports, and so on, for as long as `follow` lets it go from one file to another. */
  reachableFrom(file: string, follow: (from: string, to: string) => boolean = () => true): ReadonlySet<string> {
    const seen = new Set([file]);
    // A set is walked in the order in which it grows.
    for (const from of seen) {
      for (const to of this.#importsOf(from)) {
        if (follow(from, to)) {
          seen.add(to);
        }
      }
    }
    return seen;
  }

  #importsOf(file: string): readonly string[] {
    const known = this.#imports.get(file) ?? this.#read(join(this.root, file));
    this.#imports.set(file, known);
    return known;
  }

  #read(path: string): string[] {
    const named = readFileSync(path, 'utf8').matchAll(IMPORT);
    const paths = [...named].map((match) => resolve(dirname(path), match[1] ?? match[2] ?? ''));
    return paths.filter((each) => existsSync(each)).map((each) => relative(this.root, each));
  }
}

const TESTS = ['packages/*/src/**/*.test.ts', 'packages/*/test/**/*.test.ts', 'tools/**/*.test.ts'];

const IMPORT =
  /^(?:import(?! type\b)|export(?! type\b)|\})[^;'"]*?['"](\.[^'"]+\.tsx?)['"]|\bimport\(\s*['"](\.[^'"]+\.tsx?)['"]/gm;
