import { resolve } from 'node:path';
import { packPackages } from './packages/pack-packages.ts';

// `npm run pack` makes the archives of all packages in `dist/`. `npm install dist/*.tgz` installs them in another folder.

const folder = resolve(import.meta.dirname, '../dist');
for (const { path, size, unpackedSize } of packPackages(folder)) {
  console.log(`${path}  ${megabytes(size)}, unpacked ${megabytes(unpackedSize)}`);
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
