import { createReadStream } from 'node:fs';
import { access, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { BackupError, damaged } from './backup-error.ts';
import { type Entry, HEADER_NAME, isEntryName, LARGEST_ENTRY_BYTES, MANIFEST_NAME } from './backup-format.ts';
import { listTarEntries } from './tar.ts';

/**
 * The entries of a backup in their order: of a folder, of a tar file, or of a tar stream on standard input (`-`).
 * Throws if there is no backup, or an unfinished one, and at the first file that does not belong to a backup.
 */
export async function* listEntries(source: string): AsyncGenerator<Entry> {
  for await (const entry of await listAll(source)) {
    if (!isEntryName(entry.name)) {
      throw damaged(`it contains ${JSON.stringify(entry.name)}, which does not belong in a backup`);
    }
    yield entry;
  }
}

async function listAll(source: string): Promise<AsyncIterable<Entry>> {
  if (source === '-') {
    return listTarEntries(process.stdin);
  }
  const found = await stat(source).catch((error: unknown) => {
    throw new BackupError('not_found', `There is no backup at ${source}.`, error);
  });
  return found.isDirectory() ? listFolder(source) : listTarEntries(createReadStream(source));
}

async function* listFolder(folder: string): AsyncGenerator<Entry> {
  const exists = (name: string) =>
    access(join(folder, name)).then(
      () => true,
      () => false,
    );
  if (!(await exists(HEADER_NAME))) {
    throw new BackupError('not_found', `${folder} is not a backup: it has no ${HEADER_NAME}.`);
  }
  if (!(await exists(MANIFEST_NAME))) {
    throw damaged(`it was never finished, because ${MANIFEST_NAME} is missing`);
  }
  const entryOf = async (name: string) => {
    if ((await stat(join(folder, name))).size > LARGEST_ENTRY_BYTES) {
      throw damaged(`${name} is too large`);
    }
    return { name, content: await readFile(join(folder, name)) };
  };
  yield entryOf(HEADER_NAME);
  for (const environment of (await readdir(folder)).sort()) {
    if (environment !== HEADER_NAME && environment !== MANIFEST_NAME) {
      yield* listEnvironment(folder, environment, entryOf);
    }
  }
  yield entryOf(MANIFEST_NAME);
}

async function* listEnvironment(
  folder: string,
  environment: string,
  entryOf: (name: string) => Promise<Entry>,
): AsyncGenerator<Entry> {
  const schema = `${environment}/schema.json`;
  if (!isEntryName(schema)) {
    throw damaged(`it contains ${JSON.stringify(environment)}, which does not belong in a backup`);
  }
  const tables = await readdir(join(folder, environment), { withFileTypes: true });
  if (!tables.some(({ name }) => name === 'schema.json')) {
    throw damaged(`${schema} is missing`);
  }
  yield entryOf(schema);
  for (const { name } of tables.filter((each) => each.name !== 'schema.json').sort(byName)) {
    for (const part of (await readdir(join(folder, environment, name))).sort()) {
      yield entryOf(`${environment}/${name}/${part}`);
    }
  }
}

function byName(left: { name: string }, right: { name: string }): number {
  return left.name < right.name ? -1 : 1;
}
