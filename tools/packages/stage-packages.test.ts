import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { listUnpublished, stagePackage } from './stage-packages.ts';

const it = test.extend('server', { scope: 'file' }, ({}, { onCleanup }) => {
  const folder = mkdtempSync(join(tmpdir(), 'staged-'));
  onCleanup(() => rmSync(folder, { recursive: true, force: true }));
  stagePackage('server', folder);
  return folder;
});

describe('the published packages', () => {
  it('are all packages in the repository', () => {
    expect(listUnpublished()).toEqual([]);
  });

  it('contain no types, no tests, and only the used parts of large libraries', ({ server }) => {
    const files = globSync('**/*', { cwd: server, withFileTypes: true }).filter((entry) => entry.isFile());
    const names = files.map(({ name }) => name);
    expect(names.filter((name) => /\.tsx?$|\.test\./.test(name))).toEqual([]);
    expect(names).toEqual(
      expect.arrayContaining(['main.js', 'send-worker.js', 'common-passwords.txt', '0001-installation.sql']),
    );
    expect(names.filter((name) => name.endsWith('.ttf')).toSorted()).toEqual(['DejaVuSans-Bold.ttf', 'DejaVuSans.ttf']);
  });

  it('may be published, and name the compiled files', ({ server }) => {
    const manifest = JSON.parse(readFileSync(join(server, 'package.json'), 'utf8'));
    expect(manifest).toMatchObject({ exports: { './serve': './src/main.js' } });
    expect(manifest).not.toHaveProperty('private');
    expect(manifest).not.toHaveProperty('devDependencies');
    for (const path of Object.values<string>(manifest.exports).filter((each) => !each.includes('*'))) {
      expect(existsSync(join(server, path))).toBe(true);
    }
  });
});
