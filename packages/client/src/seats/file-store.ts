import { InvalidRequestError } from '../errors.ts';
import { findModule } from './node-modules.ts';
import type { SeatStore } from './seat-store.ts';

/** Stores a seat in a file that only its owner can read. For Node.js, Bun, Deno and the main process of Electron. */
export function fileStore(path: string): SeatStore {
  return {
    async load() {
      const { files } = await requireModules();
      return files.readFile(path, 'utf8').catch((error: unknown) => {
        if (Object(error).code === 'ENOENT') {
          return undefined;
        }
        throw error;
      });
    },
    async save(text) {
      const { files, paths } = await requireModules();
      await files.mkdir(paths.dirname(path), { recursive: true });
      // A crash leaves the old file or the new one, never half of one.
      await files.writeFile(`${path}.new`, text, { mode: 0o600 });
      await files.rename(`${path}.new`, path);
    },
  };
}

async function requireModules() {
  const files = await findModule('node:fs/promises');
  const paths = await findModule('node:path');
  if (files === undefined || paths === undefined) {
    throw new InvalidRequestError({ code: 'invalid_argument', message: 'fileStore needs Node.js, Bun or Deno' });
  }
  return { files, paths };
}
