import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
const CLIENT = join(ROOT, 'packages/client');
const SOURCES = join(CLIENT, 'src');

/** The two forms of the package, and what package.json calls each. */
const FORMS = [
  { name: 'esm', type: 'module' },
  { name: 'cjs', type: 'commonjs' },
] as const;

/** Builds `@seathold/client` as it is published into a folder, which is emptied first. `npm pack` takes the folder. */
export function buildClient(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  for (const { name, type } of FORMS) {
    const target = join(folder, name);
    mkdirSync(target, { recursive: true });
    compile(folder, target, type);
    // Node.js reads .js files as the nearest package.json says, so each form has its own.
    writeJson(join(target, 'package.json'), { type });
  }
  copyFileSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
  copyFileSync(join(CLIENT, 'README.md'), join(folder, 'README.md'));
  writeJson(join(folder, 'package.json'), describePackage());
}

/**
 * Compiles the sources in one form. TypeScript chooses the form by the package.json above them, so it gets a copy of them below
 * another one. With `module: commonjs` it would turn `import()` into `require`, which bundlers for browsers warn about.
 */
function compile(folder: string, outDir: string, type: 'module' | 'commonjs'): void {
  const sources = join(folder, 'src');
  const project = join(folder, 'tsconfig.json');
  copySources(sources);
  writeJson(join(folder, 'package.json'), { type });
  writeJson(project, {
    extends: join(ROOT, 'tsconfig.base.json'),
    compilerOptions: {
      target: 'es2022',
      rootDir: sources,
      outDir,
      noEmit: false,
      declaration: true,
      allowImportingTsExtensions: false,
      // It forbids import statements in a CommonJS build.
      verbatimModuleSyntax: false,
      typeRoots: [join(ROOT, 'node_modules/@types')],
    },
    include: [sources],
  });
  execFileSync(join(ROOT, 'node_modules/.bin/tsc'), ['-p', project], { stdio: ['ignore', 'inherit', 'inherit'] });
  rmSync(project);
  rmSync(sources, { recursive: true });
}

/**
 * Copies the sources with `./errors.js` for `./errors.ts`. TypeScript can do that too, but not in declarations, and it calls a
 * function of its own in each `import()`.
 */
function copySources(folder: string): void {
  cpSync(SOURCES, folder, { recursive: true });
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (name.endsWith('.ts')) {
      const path = join(folder, name);
      writeFileSync(path, readFileSync(path, 'utf8').replaceAll(/(['"]\.{1,2}\/[^'"\n]*)\.ts(['"])/g, '$1.js$2'));
    }
  }
}

/** The package.json that is published. The one in the repository leads to the sources, which need no build. */
function describePackage(): Record<string, unknown> {
  const { name, version, license }: Record<string, unknown> = JSON.parse(
    readFileSync(join(CLIENT, 'package.json'), 'utf8'),
  );
  return {
    name,
    version,
    license,
    description: 'Keeps seats of Seathold, calls its API and verifies its webhooks',
    type: 'module',
    sideEffects: false,
    engines: { node: '>=20' },
    main: './cjs/index.js',
    module: './esm/index.js',
    types: './cjs/index.d.ts',
    exports: {
      '.': entry('index'),
      './seats': entry('seats/index'),
      './package.json': './package.json',
    },
    files: ['esm', 'cjs'],
  };
}

/** One entry of the package, in both forms. */
function entry(name: string): Record<string, unknown> {
  return {
    import: { types: `./esm/${name}.d.ts`, default: `./esm/${name}.js` },
    require: { types: `./cjs/${name}.d.ts`, default: `./cjs/${name}.js` },
  };
}

function writeJson(path: string, value: unknown): void {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
}
