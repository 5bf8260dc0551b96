import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';

const LAUNCHER = fileURLToPath(new URL('../bin/seathold.js', import.meta.url));
const MANIFEST = fileURLToPath(new URL('../package.json', import.meta.url));
const REFUSAL = 'Seathold needs Node.js 22.18 or newer, best 24; this is 20.19.0.\n';
const ECHO = 'export function run(words: string[]): void { console.log(JSON.stringify(words)); }';

const MEMORY = `export function run(words: string[]): void {
  const { pid, execArgv: options } = process;
  console.log(JSON.stringify({ pid, words, options, arenas: process.env.MALLOC_ARENA_MAX }));
}`;

const folders: string[] = [];
const children: ChildProcess[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

describe('on a Node.js that strips types', () => {
  it('passes its arguments on and prints nothing itself', async () => {
    const result = await finish(launch(project(ECHO), ['license', 'issue', '--seats=3']));
    expect(result).toEqual({ code: 0, signal: null, stdout: '["license","issue","--seats=3"]\n', stderr: '' });
  });

  it('suppresses the warning about type stripping, and no other', async () => {
    const main = `export function run(): void {
      process.emitWarning('Type Stripping is an experimental feature and might change at any time', 'ExperimentalWarning');
      process.emitWarning('The disk is nearly full');
    }`;
    const { stderr } = await finish(launch(project(main), []));
    expect(stderr).toContain('The disk is nearly full');
    expect(stderr).not.toContain('Type Stripping');
  });

  it('replaces itself with a process with a smaller heap to run the service, and keeps its process ID and options', async () => {
    const child = launch(project(MEMORY), ['serve', 'a b']);
    const { stdout, stderr } = await finish(child);
    expect(JSON.parse(stdout)).toEqual({
      pid: child.pid,
      words: ['serve', 'a b'],
      options: expect.arrayContaining(['--max-semi-space-size=16', '--heap-growing-percent=60', '--expose-gc']),
      arenas: '2',
    });
    expect(stderr).toBe('');
  });

  it.each([
    ['another command', ['doctor'], ''],
    ['a process whose environment sets the heap size', ['serve'], '--max-semi-space-size=4'],
  ])('does not replace %s', async (_, words, nodeOptions) => {
    const { stdout } = await finish(launch(project(MEMORY), words, nodeOptions));
    expect(JSON.parse(stdout)).toEqual({ pid: expect.any(Number), words, options: [] });
  });

  it('does not replace a process that has a channel to its parent', async () => {
    const { stdout } = await finish(launch(project(MEMORY), ['serve'], '', 'ipc'));
    expect(JSON.parse(stdout)).toMatchObject({ words: ['serve'], options: [] });
  });

  it('shows what went wrong and exits with 1', async () => {
    const { code, stderr } = await finish(launch(project(`throw new Error('no such plan');`), []));
    expect(stderr).toContain('Error: no such plan');
    expect(code).toBe(1);
  });
});

describe('on an older Node.js', () => {
  it('runs the Node.js 24 of the npm package, found in a parent folder', async () => {
    const root = project(ECHO);
    installNode(root, '24.21.0');
    const result = await finish(launchOnOldNode(root, ['serve', 'a b']));
    expect(result).toEqual({ code: 0, signal: null, stdout: '["serve","a b"]\n', stderr: 'on the installed one\n' });
  });

  it('returns the exit code', async () => {
    const root = project('export function run(): void { process.exitCode = 7; }');
    installNode(root, '24.21.0');
    expect(await finish(launchOnOldNode(root, []))).toMatchObject({ code: 7, signal: null });
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('forwards %s and waits for the exit', async (signal) => {
    const main = `export function run(): void {
      const timer = setInterval(() => {}, 1000);
      process.on('${signal}', () => { console.log('drained'); process.exitCode = 3; clearInterval(timer); });
      console.log('ready');
    }`;
    const root = project(main);
    installNode(root, '24.21.0');
    const child = launchOnOldNode(root, []);
    child.stdout.once('data', () => child.kill(signal));
    expect(await finish(child)).toMatchObject({ code: 3, signal: null, stdout: 'ready\ndrained\n' });
  });

  it('is killed by the same signal as the command it ran', async () => {
    const root = project(`export function run(): void { process.kill(process.pid, 'SIGKILL'); }`);
    installNode(root, '24.21.0');
    expect(await finish(launchOnOldNode(root, []))).toMatchObject({ code: null, signal: 'SIGKILL' });
  });

  it('states its requirement in one line if there is no newer Node.js', async () => {
    const result = await finish(launchOnOldNode(project(ECHO), ['serve']));
    expect(result).toEqual({ code: 1, signal: null, stdout: '', stderr: REFUSAL });
  });

  it('states the same if the other Node.js is too old as well', async () => {
    const root = project(ECHO);
    installNode(root, '20.19.0');
    expect(await finish(launchOnOldNode(root, []))).toMatchObject({ code: 1, stderr: REFUSAL });
  });
});

describe('the launcher file', () => {
  it('uses no syntax that Node.js 12 lacks, neither as a module nor as a script', () => {
    const code = readFileSync(LAUNCHER, 'utf8').replace(/^\s*\/\/.*$|\/\*[\s\S]*?\*\//gm, '');
    expect(code).not.toMatch(
      /\?\.|\?\?|^import\s|^export\s|^(?:const .*)?await\s|import\.meta|\brequire\(|#\w+\s*[(=]/m,
    );
  });
});

/** A copy of the command with the test's own main file, in its own folder. */
function project(main: string): string {
  const root = mkdtempSync(join(tmpdir(), 'launcher-'));
  folders.push(root);
  cpSync(LAUNCHER, join(root, 'packages/cli/bin/seathold.js'));
  cpSync(MANIFEST, join(root, 'packages/cli/package.json'));
  mkdirSync(join(root, 'packages/cli/src'));
  writeFileSync(join(root, 'packages/cli/src/main.ts'), main);
  return root;
}

/** What `npm ci` installs of the package `node`: here a script that runs the test's own Node.js. */
function installNode(root: string, version: string): void {
  mkdirSync(join(root, 'node_modules/.bin'), { recursive: true });
  mkdirSync(join(root, 'node_modules/node'));
  writeFileSync(join(root, 'node_modules/node/package.json'), JSON.stringify({ name: 'node', version }));
  const binary = join(root, 'node_modules/.bin/node');
  writeFileSync(binary, `#!/bin/sh\necho 'on the installed one' >&2\nNODE_OPTIONS= exec '${process.execPath}' "$@"\n`);
  chmodSync(binary, 0o755);
}

function launch(root: string, words: string[], nodeOptions = '', channel: 'ignore' | 'ipc' = 'ignore') {
  const env = { ...process.env, NODE_OPTIONS: nodeOptions };
  const child = spawn(process.execPath, [join(root, 'packages/cli/bin/seathold.js'), ...words], {
    env,
    stdio: ['ignore', 'pipe', 'pipe', channel],
  }) as ChildProcessByStdio<null, Readable, Readable>;
  children.push(child);
  return child;
}

/** The same Node.js, which reports an older version: no test may depend on what else is installed on a machine. */
function launchOnOldNode(root: string, words: string[]) {
  const disguise = join(root, 'disguise.cjs');
  const versions = `{ ...process.versions, node: '20.19.0' }`;
  writeFileSync(disguise, `Object.defineProperty(process, 'versions', { value: ${versions} });`);
  return launch(root, words, `--require ${disguise}`);
}

async function finish(child: ReturnType<typeof launch>) {
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code: child.exitCode, signal: child.signalCode, stdout, stderr };
}
