import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { resolveImport } from './arrows.ts';
import { isTest, type SourceFile, type Violation } from './source-files.ts';

/** A statement as PostgreSQL gets it, and the file that makes it. A list has one for each way to sort it. */
export interface LoadedStatement {
  readonly name: string;
  readonly text: string;
  readonly path: string;
  readonly line: number;
}

type ListStatements = () => ReadonlyArray<{ readonly name: string; readonly text: string }>;

const SERVER = 'packages/server/src/';
const REGISTRY = `${SERVER}database/statement.ts`;

/**
 * Loads every module of the server and returns its statements. Each module is loaded after all that it imports, so what is
 * new afterwards is its own, even where the function that made it stands elsewhere.
 */
export async function loadStatements(
  root: string,
  files: readonly SourceFile[],
): Promise<{ statements: LoadedStatement[]; violations: Violation[] }> {
  const load = (path: string): Promise<unknown> => import(pathToFileURL(join(root, path)).href);
  const listStatements = findList(await load(REGISTRY));
  const statements: LoadedStatement[] = [];
  const violations: Violation[] = [];
  const known = new Set(listStatements().map(({ name }) => name));
  for (const { path, sql } of inLoadingOrder(files)) {
    try {
      await load(path);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      violations.push({ path, line: 1, rule: 'unloadable-module', advice: `fix what fails when it loads: ${reason}` });
    }
    const added = listStatements().filter(({ name }) => !known.has(name));
    for (const { name, text } of added) {
      known.add(name);
      const line = sql.makers.find((each) => each.name === name)?.line ?? 1;
      statements.push({ name, text, path, line });
    }
  }
  return { statements, violations };
}

function findList(registry: unknown): ListStatements {
  const hasList = (module: unknown): module is { listStatements: ListStatements } =>
    typeof module === 'object' && module !== null && 'listStatements' in module;
  if (!hasList(registry)) throw new Error(`${REGISTRY} does not list statements`);
  return registry.listStatements;
}

/** Imported files before those that import them. */
function inLoadingOrder(files: readonly SourceFile[]): SourceFile[] {
  const modules = new Map(files.filter(isModule).map((file) => [file.path, file]));
  for (const path of threadsOf(modules)) modules.delete(path);
  const ordered = new Set<SourceFile>();
  const begun = new Set<SourceFile>();
  const visit = (file: SourceFile): void => {
    if (begun.has(file)) return;
    begun.add(file);
    for (const path of importsOf(file)) {
      const imported = modules.get(path);
      if (imported !== undefined) visit(imported);
    }
    ordered.add(file);
  };
  for (const file of modules.values()) visit(file);
  return [...ordered];
}

/** What helps tests stands next to them, and needs their runner. */
function isModule({ path, imports }: SourceFile): boolean {
  const isTested = isTest(path) || imports.some(({ specifier }) => specifier === 'vitest');
  return path.startsWith(SERVER) && path.endsWith('.ts') && !isTested;
}

/** What starts as a thread of its own is not meant to run in this one. */
function threadsOf(modules: ReadonlyMap<string, SourceFile>): string[] {
  return [...modules.values()].flatMap((file) => importsOf(file, true));
}

function importsOf({ path, imports }: SourceFile, isUrl = false): string[] {
  const wanted = imports.filter((each) => each.isUrl === isUrl);
  return wanted.flatMap(({ specifier }) => (specifier === null ? [] : (resolveImport(path, specifier) ?? [])));
}
