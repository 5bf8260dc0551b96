import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { buildClient } from './client-package/build-client.ts';

const TSC = resolve(import.meta.dirname, '../node_modules/.bin/tsc');

/** A customer's project with the built client installed. */
const it = test.extend('project', { scope: 'file' }, ({}, { onCleanup }) => {
  const project = mkdtempSync(join(tmpdir(), 'client-package-'));
  onCleanup(() => rmSync(project, { recursive: true, force: true }));
  mkdirSync(join(project, 'node_modules/@seathold'), { recursive: true });
  buildClient(join(project, 'node_modules/@seathold/client'));
  return project;
});

const PRINT = `new Seathold({ baseUrl: 'https://localhost:1', token: 'x'.repeat(20) }); console.log(Seathold.name, SeatholdError.name);`;

describe('the published client', () => {
  it('is imported by a program of ES modules', ({ project }) => {
    writeFileSync(
      join(project, 'program.mjs'),
      `import { Seathold, SeatholdError } from '@seathold/client';\n${PRINT}`,
    );
    expect(run(project, process.execPath, ['program.mjs'])).toBe('Seathold SeatholdError\n');
  });

  it('is required by a program of CommonJS', ({ project }) => {
    writeFileSync(
      join(project, 'program.cjs'),
      `const { Seathold, SeatholdError } = require('@seathold/client');\n${PRINT}`,
    );
    expect(run(project, process.execPath, ['program.cjs'])).toBe('Seathold SeatholdError\n');
    // A copy of the ES modules would print the same: the loaded file says which form it was.
    expect(run(project, process.execPath, ['-p', `require.resolve('@seathold/client')`])).toMatch(
      /\/cjs\/index\.js\n$/,
    );
  });

  it.for(['mts', 'cts'])('has types for a program in .%s, and they refuse a wrong call', (extension, { project }) => {
    const use = `import { Seathold } from '@seathold/client';
const seathold = new Seathold({ baseUrl: 'https://localhost:1', token: 'x' });
export const id: Promise<string> = seathold.licenses.acquire({ license_key: 'k', hardware_id: 'h' }).then((seat) => seat.session_id);
// @ts-expect-error: a key is a text.
export const wrong = seathold.licenses.acquire({ license_key: 1, hardware_id: 'h' });
`;
    writeFileSync(join(project, `typed.${extension}`), use);
    const settings = [
      '--noEmit',
      '--strict',
      '--module',
      'nodenext',
      '--target',
      'es2022',
      '--lib',
      'es2023,dom',
      '--types',
      '',
    ];
    expect(run(project, TSC, [...settings, `typed.${extension}`])).toBe('');
  });

  it('holds the builds, its license, its page and nothing else', ({ project }) => {
    const packed = run(join(project, 'node_modules/@seathold/client'), 'npm', ['pack', '--dry-run', '--json']);
    const paths = [...packed.matchAll(/"path": "([^"]+)"/g)].map(([, path]) => path ?? '');
    expect(paths.filter((path) => !/^(esm|cjs)\/.*\.(js|d\.ts)$/.test(path)).toSorted()).toEqual([
      'LICENSE',
      'README.md',
      'cjs/package.json',
      'esm/package.json',
      'package.json',
    ]);
    expect(paths).toEqual(expect.arrayContaining(['esm/index.js', 'esm/index.d.ts', 'cjs/index.js', 'cjs/index.d.ts']));
  });
});

function run(folder: string, command: string, args: readonly string[]): string {
  return execFileSync(command, args, { cwd: folder, encoding: 'utf8' });
}
