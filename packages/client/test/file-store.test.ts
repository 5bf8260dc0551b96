import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fileStore } from '../src/seats/index.ts';

const it = test.extend('folder', async ({}, { onCleanup }) => {
  const folder = await mkdtemp(join(tmpdir(), 'seat-store-'));
  onCleanup(() => rm(folder, { recursive: true, force: true }));
  return folder;
});

it('a file store returns the last saved value', async ({ folder }) => {
  const store = fileStore(join(folder, 'new', 'seat.json'));
  expect(await store.load()).toBeUndefined();
  await store.save('one');
  await store.save('two');
  expect(await store.load()).toBe('two');
  expect(await readdir(join(folder, 'new'))).toEqual(['seat.json']);
});

it('others cannot read the file, because it contains tokens', async ({ folder }) => {
  const path = join(folder, 'seat.json');
  await fileStore(path).save('secret');
  expect((await stat(path)).mode & 0o077).toBe(0);
});

it('an unreadable file is an error and not an empty store', async ({ folder }) => {
  await expect(Promise.resolve(fileStore(folder).load())).rejects.toMatchObject({ code: 'EISDIR' });
});
