import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, it, onTestFinished } from 'vitest';
import { listEntries } from './list-entries.ts';
import { formatTarEnd, formatTarEntry, listTarEntries } from './tar.ts';

const ENTRIES = [
  { name: 'backup.json', content: Buffer.from('{}') },
  { name: 'production/users/00000001.part', content: Buffer.alloc(1_234, 7) },
  { name: 'production/users/00000002.part', content: Buffer.alloc(0) },
];

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'seathold-tar-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

function format(entries: readonly { name: string; content: Buffer }[]): Buffer {
  return Buffer.concat([...entries.flatMap((entry) => formatTarEntry(entry, 0)), formatTarEnd()]);
}

async function list(entries: AsyncIterable<{ name: string; content: Buffer }>) {
  const all: { name: string; content: Buffer }[] = [];
  for await (const entry of entries) {
    all.push(entry);
  }
  return all;
}

it('a tar stream is read as it was written, in chunks of any size', async () => {
  const bytes = format(ENTRIES);
  for (const size of [1, 511, 512, 4_096]) {
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
      bytes.subarray(at * size, (at + 1) * size),
    );
    expect(await list(listTarEntries(Readable.from(chunks)))).toEqual(ENTRIES);
  }
});

it('tar extracts the written files', async () => {
  const folder = await makeFolder();
  await writeFile(join(folder, 'backup.tar'), format(ENTRIES));
  execFileSync('tar', ['xf', 'backup.tar'], { cwd: folder });
  expect(await readFile(join(folder, 'production/users/00000001.part'))).toEqual(ENTRIES[1]?.content);
});

it.for([600, 1_024, 2_000])('a stream that ends %i bytes early is refused', async (missing) => {
  const bytes = format(ENTRIES);
  await expect(list(listTarEntries(Readable.from([bytes.subarray(0, -missing)])))).rejects.toThrow('cut off');
});

it.for(['../outside', '/etc/passwd', 'production/../../outside', 'production/users/00000001.part/x', 'elsewhere.json'])(
  'a tar file with the name %s is refused',
  async (name) => {
    const folder = await makeFolder();
    const path = join(folder, 'backup.tar');
    await writeFile(path, format([{ name, content: Buffer.from('x') }]));
    await expect(list(listEntries(path))).rejects.toThrow('which does not belong in a backup');
  },
);

it('a tar file with a link is refused', async () => {
  const folder = await makeFolder();
  await symlink('/etc/passwd', join(folder, 'backup.json'));
  execFileSync('tar', ['--format=ustar', '-cf', 'links.tar', 'backup.json'], { cwd: folder });
  await expect(list(listEntries(join(folder, 'links.tar')))).rejects.toThrow('made by another program');
});

it('a file that is not a tar is refused', async () => {
  const folder = await makeFolder();
  await writeFile(join(folder, 'notes.txt'), Buffer.alloc(4_096, 'a'));
  await expect(list(listEntries(join(folder, 'notes.txt')))).rejects.toThrow('not a tar stream of a backup');
  await expect(list(listEntries(join(folder, 'nothing')))).rejects.toMatchObject({ code: 'not_found' });
});

it('a folder without a manifest is refused as unfinished', async () => {
  const folder = await makeFolder();
  await writeFile(join(folder, 'backup.json'), '{}');
  await expect(list(listEntries(folder))).rejects.toThrow('never finished');
});
