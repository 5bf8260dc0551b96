import { stripTypeScriptTypes } from 'node:module';
import { parseSync } from 'oxc-parser';

/**
 * The JavaScript of a source file, for a package: Node.js strips no types below node_modules. Types become blanks, as they
 * do where the sources run, so lines and columns stay what they are in the repository. Every reference to another
 * source, be it an import or the address of a worker, names the compiled file. Throws when one is left.
 */
export function compileSource(path: string, source: string): string {
  const code = stripTypeScriptTypes(source, { mode: 'strip' });
  const { module, errors } = parseSync(path.replace(/\.ts$/, '.js'), code);
  if (errors.length > 0) {
    throw new Error(`${path}: ${errors.map(({ message }) => message).join('; ')}`);
  }
  const spans = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest),
    ...module.staticExports.flatMap(({ entries }) => entries.flatMap((entry) => entry.moduleRequest ?? [])),
    ...module.dynamicImports.map(({ moduleRequest }) => moduleRequest),
  ];
  // `export { a, b } from './c.ts'` has one entry for each name, all with the same span.
  const starts = new Map(spans.map(({ start, end }) => [start, end]));
  const compiled = [...starts]
    .sort(([left], [right]) => right - left)
    .reduce((text, [start, end]) => text.slice(0, start) + renamed(text.slice(start, end)) + text.slice(end), code)
    .replaceAll(ADDRESS, (address) => address.replace(/\.ts'/, ".js'"));
  const [left] = LEFT.exec(compiled) ?? [];
  if (left !== undefined) {
    throw new Error(`${path}: ${left} leads to a source, which the package does not have`);
  }
  return compiled;
}

/** `'./a.ts'` as `'./a.js'`; the names of packages stay. */
function renamed(specifier: string): string {
  return specifier.replace(/^(['"]\.{1,2}\/.*)\.ts(['"])$/, '$1.js$2');
}

const ADDRESS = /new URL\('\.{1,2}\/[^'\n]*\.ts', import\.meta\.url\)/g;
const LEFT = /(['"])\.{1,2}\/[^'"\n]*\.tsx?\1/;
