import { InvalidRequestError } from '../errors.ts';
import { findModule } from './node-modules.ts';
import type { SeatStore } from './seat-store.ts';

/** Keeps a seat in a file that only its owner can read. For Node.js, Bun, Deno and the main process of Electron. */
export function fileStore(path: string): SeatStore {
  return {
    async load() {
      const { files } = requireModules();
      return files.readFile(path, 'utf8').catch((error: unknown) => {
        if (Object(error).code === 'ENOENT') {
          return undefined;
        }
        throw error;
      });
    },
    async save(text) {
      const { files, paths } = requireModules();
      await files.mkdir(paths.dirname(path), { recursive: true });
      // A crash leaves the old file or the new one, never half of one.
      await files.writeFile(`${path}.new`, text, { mode: 0o600 });
      await files.rename(`${path}.new`, path);
    },
  };
}

function requireModules() {
  const files = findModule('node:fs/promises');
  const paths = findModule('node:path');
  if (files === undefined || paths === undefined) {
    throw new InvalidRequestError({ code: 'invalid_argument', message: 'fileStore needs Node.js 20.16 or later' });
  }
  return { files, paths };
}
