#!/usr/bin/env node
// Starts the command on a Node.js that can run it. The service is TypeScript that Node.js itself strips of its types,
// so an older one would stop at the first annotation with a page of stack instead of a sentence.
//
// This file keeps to what Node.js 12 can parse, as a module or not: no static import, no top-level await, no `?.` and
// no `??`. Every version must get as far as the message.

const NEEDED = 'Seathold needs Node.js 22.18 or newer, best 24';

if (canStripTypes()) {
  ignoreExperimentalWarnings();
  limitServiceMemory();
  // Not caught: what goes wrong in there is a bug, and Node.js shows it with its stack and ends with 1.
  void keepCompiledCode()
    .then(() => import('../src/main.ts'))
    .then((main) => main.run(process.argv.slice(2)));
} else {
  runOnInstalledNode().catch(refuse);
}

/** 23.0 to 23.5 are newer than 22.18 and yet do not strip types, so the feature is asked for as well. */
function canStripTypes() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  const isNewEnough = major > 22 || (major === 22 && minor >= 18);
  return isNewEnough && process.features.typescript !== false;
}

/**
 * Has Node.js keep what it compiles beside the installed packages, so that later starts need half as long. The folder for
 * temporary files, which is Node.js's own choice, can be written by other users, and what lies there is run. Where the
 * installation cannot be written, everything is compiled at each start.
 */
async function keepCompiledCode() {
  const { enableCompileCache } = await import('node:module');
  const fs = await import('node:fs');
  const path = await import('node:path');
  if (typeof enableCompileCache !== 'function' || process.env.NODE_COMPILE_CACHE) return;
  const script = fs.realpathSync(process.argv[1]);
  const folder = path.join(script, '..', '..', '..', '..', 'node_modules', '.cache', 'seathold');
  // Request processes are started with this environment.
  if (enableCompileCache(folder).directory !== undefined) process.env.NODE_COMPILE_CACHE = folder;
}

/**
 * For the service, replaces the process by one that uses less memory. These settings only take effect when a process starts.
 * By default, Node.js lets new objects take 128 MB, and glibc keeps freed memory separate for each thread; without that,
 * the service uses 100 MB less under load. Old objects are collected when they have grown by 60 percent, not when they have
 * more than doubled, which saves another 45 MB. `--expose-gc` lets it collect the garbage of its start. A size that NODE_OPTIONS
 * sets is kept.
 */
function limitServiceMemory() {
  const options = [...process.execArgv, process.env.NODE_OPTIONS || ''].join(' ');
  // A request process has a channel to its parent, which would be lost. Its parent gives it the options.
  if (process.argv[2] !== 'serve' || process.send !== undefined || options.includes('--max-semi-space-size')) return;
  const settings = ['--max-semi-space-size=16', '--heap-growing-percent=60', '--expose-gc'];
  const args = [...settings, ...process.execArgv, ...process.argv.slice(1)];
  try {
    process.execve(process.execPath, [process.execPath, ...args], { MALLOC_ARENA_MAX: '2', ...process.env });
  } catch {
    // Windows and Node.js before 22.15 cannot; the service runs all the same.
  }
}

/** Node.js warns of what it calls experimental; users of the command can do nothing about it. */
function ignoreExperimentalWarnings() {
  const emitWarning = process.emitWarning;
  process.emitWarning = (warning, ...rest) => {
    if (/^(Type Stripping|process\.execve) is an experimental feature/.test(String(warning))) return;
    emitWarning.call(process, warning, ...rest);
  };
}

/** Runs the command again on the Node.js that `npm ci` put into the nearest node_modules, and ends as that run ends. */
async function runOnInstalledNode() {
  const { spawn } = await import('node:child_process');
  const fs = await import('node:fs');
  const path = await import('node:path');
  const { isatty } = await import('node:tty');
  const script = fs.realpathSync(process.argv[1]);
  const node = findInstalledNode(fs, path, path.dirname(script));
  if (node === null) return refuse();
  const child = spawn(node, [...process.execArgv, script, ...process.argv.slice(2)], { stdio: 'inherit' });
  child.on('error', refuse);
  child.on('exit', endLike);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      // A terminal sends Ctrl-C to the whole process group. Passed on, it would arrive twice and read as impatience.
      if (signal === 'SIGINT' && isatty(0)) return;
      child.kill(signal);
    });
  }
}

/** The path of a Node.js of at least version 24 from the npm package `node`, in this folder or one above; or null. */
function findInstalledNode(fs, path, folder) {
  const modules = path.join(folder, 'node_modules');
  const binary = path.join(modules, ...(process.platform === 'win32' ? ['node', 'bin', 'node.exe'] : ['.bin', 'node']));
  if (fs.existsSync(binary) && isNode24(fs, path.join(modules, 'node', 'package.json'))) {
    // The one that runs already is not asked again, or a mislabelled package would start itself forever.
    if (fs.realpathSync(binary) !== fs.realpathSync(process.execPath)) return binary;
  }
  const parent = path.dirname(folder);
  return parent === folder ? null : findInstalledNode(fs, path, parent);
}

function isNode24(fs, manifest) {
  if (!fs.existsSync(manifest)) return false;
  const { name, version } = JSON.parse(fs.readFileSync(manifest, 'utf8'));
  return name === 'node' && Number.parseInt(version, 10) >= 24;
}

/** Shells tell a command that was killed from one that failed, so the signal is taken on and not made a code. */
function endLike(code, signal) {
  if (signal === null) process.exit(code);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}

function refuse() {
  process.stderr.write(`${NEEDED}; this is ${process.versions.node}.\n`);
  process.exitCode = 1;
}
