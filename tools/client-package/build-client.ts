import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
const CLIENT = join(ROOT, 'packages/client');
const SOURCES = join(CLIENT, 'src');

/** The two forms of the package: what TypeScript calls the module system, and what Node.js calls it. */
const FORMS = [
  { name: 'esm', module: 'esnext', type: 'module' },
  { name: 'cjs', module: 'commonjs', type: 'commonjs' },
] as const;

/** Builds `@seathold/client` as it is published into a folder, which is emptied first. `npm pack` takes the folder. */
export function buildClient(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  for (const { name, module, type } of FORMS) {
    const target = join(folder, name);
    mkdirSync(target, { recursive: true });
    compile(folder, target, module);
    correctDeclarations(target);
    // Node.js reads .js files as the nearest package.json says, so each form has its own.
    writeJson(join(target, 'package.json'), { type });
  }
  copyFileSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
  copyFileSync(join(CLIENT, 'README.md'), join(folder, 'README.md'));
  writeJson(join(folder, 'package.json'), describePackage());
}

function compile(folder: string, outDir: string, module: 'esnext' | 'commonjs'): void {
  const project = join(folder, 'tsconfig.json');
  writeJson(project, {
    extends: join(ROOT, 'tsconfig.base.json'),
    compilerOptions: {
      module,
      moduleResolution: 'bundler',
      target: 'es2022',
      rootDir: SOURCES,
      outDir,
      noEmit: false,
      declaration: true,
      allowImportingTsExtensions: false,
      rewriteRelativeImportExtensions: true,
      // It forbids import statements in a CommonJS build.
      verbatimModuleSyntax: false,
      typeRoots: [join(ROOT, 'node_modules/@types')],
    },
    include: [SOURCES],
  });
  execFileSync(join(ROOT, 'node_modules/.bin/tsc'), ['-p', project], { stdio: ['ignore', 'inherit', 'inherit'] });
  rmSync(project);
}

/** TypeScript rewrites `./errors.ts` to `./errors.js` in programs, but not in declarations. */
function correctDeclarations(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (name.endsWith('.d.ts')) {
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
    engines: { node: '>=20.16' },
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
