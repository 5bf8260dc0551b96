import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { PUBLISHED, type Published, stagePackage } from './stage-packages.ts';

/** What npm says of an archive that it made. */
export interface Packed {
  name: Published;
  /** The archive. */
  path: string;
  size: number;
  unpackedSize: number;
  files: readonly string[];
}

/** Makes the archives of all packages in a folder, which keeps nothing else. */
export function packPackages(folder: string): Packed[] {
  rmSync(folder, { recursive: true, force: true });
  const staged = join(folder, 'staged');
  mkdirSync(staged, { recursive: true });
  try {
    return PUBLISHED.map((name) => {
      stagePackage(name, join(staged, name));
      return pack(name, join(staged, name), folder);
    });
  } finally {
    rmSync(staged, { recursive: true, force: true });
  }
}

function pack(name: Published, source: string, folder: string): Packed {
  const printed = execFileSync('npm', ['pack', source, '--pack-destination', folder, '--json', '--ignore-scripts'], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const [packed]: NpmPacked[] = JSON.parse(printed);
  if (packed === undefined) {
    throw new Error(`npm packed nothing of ${name}`);
  }
  const { filename, size, unpackedSize, files } = packed;
  return { name, path: join(folder, filename), size, unpackedSize, files: files.map(({ path }) => path) };
}

interface NpmPacked {
  filename: string;
  size: number;
  unpackedSize: number;
  files: ReadonlyArray<{ path: string }>;
}
