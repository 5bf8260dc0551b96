import { cpSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { buildClient } from '../client-package/build-client.ts';
import { compileSource } from './compile-source.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const MODULES = join(ROOT, 'node_modules');

/** The packages that are published, each a folder of `packages/`, in the order in which they need each other. */
export const PUBLISHED = ['client', 'dashboard', 'fonts-cjk', 'server', 'cli'] as const;

export type Published = (typeof PUBLISHED)[number];

/** The few files that are used of a large package. They travel inside ours, and its other dependencies are not installed. */
interface Bundled {
  name: string;
  files: readonly string[];
  /** Where its package has no text of its license: another package of the same authors that has. */
  licenseOf?: string;
}

interface Recipe {
  description: string;
  /** Whether `src` is TypeScript that has to be compiled. */
  isProgram?: boolean;
  /** Files and folders that are taken as they are. */
  copied?: readonly string[];
  bundled?: readonly Bundled[];
}

const RECIPES: Readonly<Record<Exclude<Published, 'client'>, Recipe>> = {
  dashboard: { description: 'The dashboard of Seathold, as the service shows it', copied: ['dist'] },
  'fonts-cjk': {
    description: 'Fonts with which Seathold sets Chinese, Japanese and Korean names on invoices',
    bundled: [
      {
        name: '@embedpdf/fonts-sc',
        files: ['package.json', 'LICENSE', 'dist/index.cjs', 'fonts/NotoSansHans-Regular.otf'],
      },
      {
        name: '@embedpdf/fonts-kr',
        files: ['package.json', 'LICENSE', 'dist/index.cjs', 'fonts/NotoSansKR-Regular.otf'],
      },
    ],
  },
  server: {
    description: 'The service of Seathold: accounts, floating licenses, subscriptions and webhooks',
    isProgram: true,
    copied: ['migrations'],
    bundled: [
      {
        name: '@scalar/api-reference',
        files: ['package.json', 'dist/browser/standalone.js'],
        licenseOf: '@scalar/api-client',
      },
      {
        name: 'dejavu-fonts-ttf',
        files: ['package.json', 'LICENSE', 'ttf/DejaVuSans.ttf', 'ttf/DejaVuSans-Bold.ttf'],
      },
    ],
  },
  cli: {
    description: 'Floating licenses, subscriptions and signed webhooks in one process: npx seathold serve',
    isProgram: true,
  },
};

/** Makes the folder of a package as it is published; `npm pack` takes it. */
export function stagePackage(name: Published, folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  if (name === 'client') {
    buildClient(folder);
    return;
  }
  mkdirSync(folder, { recursive: true });
  const source = join(ROOT, 'packages', name);
  const recipe = RECIPES[name];
  if (recipe.isProgram === true) {
    compileProgram(source, folder);
  }
  for (const each of recipe.copied ?? []) {
    cpSync(join(source, each), join(folder, each), { recursive: true });
  }
  for (const each of recipe.bundled ?? []) {
    bundle(each, join(folder, 'node_modules', each.name));
  }
  cpSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
  cpSync(join(source, 'README.md'), join(folder, 'README.md'));
  writeJson(join(folder, 'package.json'), describePackage(source, recipe));
}

/** Sources and what they read lie where they do in the repository, since they find each other by their places. */
function compileProgram(source: string, folder: string): void {
  const paths = globSync(['bin/**', 'src/**'], { cwd: source, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name).slice(source.length + 1));
  for (const path of paths) {
    const isCode = /\.(ts|js)$/.test(path);
    const target = join(folder, path.replace(/\.ts$/, '.js'));
    mkdirSync(dirname(target), { recursive: true });
    if (isCode) {
      writeFileSync(target, compileSource(path, readFileSync(join(source, path), 'utf8')));
    } else {
      cpSync(join(source, path), target);
    }
  }
}

function bundle({ name, files, licenseOf }: Bundled, folder: string): void {
  for (const file of files) {
    cpSync(join(MODULES, name, file), join(folder, file));
  }
  if (licenseOf !== undefined) {
    cpSync(join(MODULES, licenseOf, 'LICENSE'), join(folder, 'LICENSE'));
  }
  const { version, license, type, main, exports }: Manifest = readJson(join(MODULES, name, 'package.json'));
  writeJson(join(folder, 'package.json'), { name, version, license, type, main, exports });
}

type Manifest = Readonly<Record<string, unknown>>;

/** The package.json that is published: without what only the repository needs, and leading to the compiled files. */
function describePackage(source: string, { description, bundled = [] }: Recipe): Manifest {
  const { private: _, scripts, devDependencies, ...manifest }: Manifest = readJson(join(source, 'package.json'));
  const exports = JSON.stringify(manifest.exports)?.replaceAll('.ts"', '.js"');
  return {
    ...manifest,
    description,
    ...(exports === undefined ? {} : { exports: JSON.parse(exports) }),
    ...(bundled.length === 0 ? {} : { bundleDependencies: bundled.map(({ name }) => name) }),
  };
}

/** Names the folders of `packages/` that have no recipe, so that a new one is not forgotten. */
export function listUnpublished(): string[] {
  const known: readonly string[] = PUBLISHED;
  return readdirSync(join(ROOT, 'packages')).filter((name) => !known.includes(name));
}

function readJson(path: string): Manifest {
  return JSON.parse(readFileSync(path, 'utf8'));
}

function writeJson(path: string, value: unknown): void {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
}
