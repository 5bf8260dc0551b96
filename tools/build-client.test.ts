import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, createLogger } from 'vite';
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
  it('can be imported by an ES module', ({ project }) => {
    writeFileSync(
      join(project, 'program.mjs'),
      `import { Seathold, SeatholdError } from '@seathold/client';\n${PRINT}`,
    );
    expect(run(project, process.execPath, ['program.mjs'])).toBe('Seathold SeatholdError\n');
  });

  it('can be required by a CommonJS module', ({ project }) => {
    writeFileSync(
      join(project, 'program.cjs'),
      `const { Seathold, SeatholdError } = require('@seathold/client');\n${PRINT}`,
    );
    expect(run(project, process.execPath, ['program.cjs'])).toBe('Seathold SeatholdError\n');
    // A copy of the ES modules would print the same: the loaded file shows which form it was.
    expect(run(project, process.execPath, ['-p', `require.resolve('@seathold/client')`])).toMatch(
      /\/cjs\/index\.js\n$/,
    );
  });

  it.for(['mts', 'cts'])('has types for a program in .%s, which reject a wrong call', (extension, { project }) => {
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

  it('has the seat keeper as a separate entry, in both forms and with types', ({ project }) => {
    const print = 'console.log(typeof Seat.acquire, typeof createHardwareId());';
    writeFileSync(
      join(project, 'seat.mjs'),
      `import { createHardwareId, Seat } from '@seathold/client/seats';\n${print}`,
    );
    writeFileSync(
      join(project, 'seat.cjs'),
      `const { createHardwareId, Seat } = require('@seathold/client/seats');\n${print}`,
    );
    for (const program of ['seat.mjs', 'seat.cjs']) {
      expect(run(project, process.execPath, [program])).toBe('function string\n');
    }
    const use = `import { Seat } from '@seathold/client/seats';
export const state: Promise<'held' | 'offline' | 'lost' | 'ended'> = Seat.acquire({ baseUrl: 'https://localhost:1', licenseKey: 'k' }).then((seat) => {
  seat.on('lost', ({ isFinal }) => console.log(isFinal));
  return seat.state;
});
// @ts-expect-error: there is no such event.
export const wrong = Seat.acquire({ baseUrl: 'https://localhost:1', licenseKey: 'k' }).then((seat) => seat.on('lots', () => {}));
`;
    writeFileSync(join(project, 'seat-typed.mts'), use);
    const settings = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--lib', 'es2023,dom'];
    expect(run(project, TSC, [...settings, '--types', '', 'seat-typed.mts'])).toBe('');
  });

  it.for(['mjs', 'cjs'])(
    'finds the built-in modules of Node.js before 20.16 in a program in .%s',
    (extension, { project }) => {
      const from = `('@seathold/client/seats')`;
      const load = extension === 'mjs' ? `await import${from}` : `require${from}`;
      const program = `// As it is before Node.js 20.16.
process.getBuiltinModule = undefined;
const seats = ${load};
const store = seats.fileStore(${JSON.stringify(join(project, extension, 'seat.json'))});
const print = async () => {
  await store.save('a seat');
  console.log(await store.load());
};
${extension === 'mjs' ? 'await print();' : 'void print();'}`;
      writeFileSync(join(project, `old.${extension}`), program);
      expect(run(project, process.execPath, [`old.${extension}`])).toBe('a seat\n');
    },
  );

  it('has a seat keeper of less than 15 KB compressed, without dependencies', async ({ project }) => {
    const entry = join(project, 'node_modules/@seathold/client/esm/seats/index.js');
    const warnings: string[] = [];
    const logger = createLogger('warn');
    const built = await build({
      configFile: false,
      customLogger: { ...logger, warn: (message) => warnings.push(message) },
      build: { write: false, minify: true, rollupOptions: { input: entry, preserveEntrySignatures: 'strict' } },
    });
    const chunks = [built].flat().flatMap((each) => ('output' in each ? each.output : []));
    const [chunk] = chunks;
    expect(chunks).toHaveLength(1);
    const code = chunk?.type === 'chunk' ? chunk.code : '';
    // A bundle without content would be small too.
    expect(code).toContain('/.well-known/license-revocations.jwt');
    expect(warnings).toEqual([]);
    // The only import is by a name that is known only when Node.js runs it.
    expect(code).not.toMatch(/\bfrom\s*["']|\brequire\s*\(/);
    expect(code.match(/\bimport\([^)]*\)/g)).toEqual([expect.stringMatching(/^import\((\/\*.*?\*\/\s*)*[\w$]+\)$/s)]);
    expect(gzipSync(code).length).toBeLessThan(15_000);
  });

  it('contains the builds, its license, its page and nothing else', ({ project }) => {
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
