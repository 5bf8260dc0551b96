import { readFileSync } from 'node:fs';
import { posix, relative } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { resolveImport } from './check-rooms/arrows.ts';

/**
 * The files of its own room that a file reaches, itself first, in the order in which a reader meets them: depth first,
 * imports from top to bottom. Imports of types are left out, for they do not run. `read` returns the code of a path.
 */
export function walkRoom(start: string, read: (path: string) => string): string[] {
  const room = /^packages\/server\/src\/[^/]+\//.exec(start)?.[0] ?? `${posix.dirname(start)}/`;
  const seen = new Set<string>();
  const visit = (path: string) => {
    if (!path.startsWith(room) || seen.has(path)) return;
    seen.add(path);
    for (const specifier of runtimeImports(path, read(path))) {
      const next = resolveImport(path, specifier);
      if (next !== null) visit(next);
    }
  };
  visit(start);
  return [...seen];
}

function runtimeImports(path: string, code: string): string[] {
  const specifiers: string[] = [];
  new Visitor({
    ImportDeclaration: ({ importKind, source }) => void (importKind !== 'type' && specifiers.push(source.value)),
    ExportNamedDeclaration: ({ exportKind, source }) =>
      void (source !== null && exportKind !== 'type' && specifiers.push(source.value)),
    ExportAllDeclaration: ({ exportKind, source }) => void (exportKind !== 'type' && specifiers.push(source.value)),
  }).visit(parseSync(path, code).program);
  return specifiers;
}

function main([given]: string[]): void {
  if (given === undefined) {
    console.error('usage: npm run walk <file>');
    process.exitCode = 2;
    return;
  }
  const start = relative(process.cwd(), given).replaceAll('\\', '/');
  let lines = 0;
  const read = (path: string) => {
    const code = readFileSync(path, 'utf8');
    lines += code.split('\n').length - 1;
    return code;
  };
  const files = walkRoom(start, read);
  for (const path of files) console.log(path);
  console.log(`${files.length} files, ${lines} lines`);
}

if (import.meta.main) main(process.argv.slice(2));
