import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { packPackages } from './packages/pack-packages.ts';
import { provePackages } from './packages/prove-packages.ts';

// `npm run test:packages` packs everything, installs it in an empty folder as a stranger would, and runs the README's first
// hour there without a network, on each Node.js that is supported.

const { values } = parseArgs({
  options: {
    node: { type: 'string', default: '22,24' },
    /** The second half, which runs without a network. */
    installed: { type: 'string' },
    fonts: { type: 'string' },
  },
});

if (values.installed !== undefined && values.fonts !== undefined) {
  process.exitCode = await provePackages(values.installed, values.fonts);
} else {
  main(values.node.split(','));
}

function main(versions: readonly string[]): void {
  const folder = mkdtempSync(join(tmpdir(), 'seathold-packages-'));
  try {
    const packed = packPackages(join(folder, 'archives'));
    const needed = packed.filter(({ name }) => name !== 'fonts-cjk').map(({ path }) => path);
    const fonts = packed.find(({ name }) => name === 'fonts-cjk')?.path ?? '';
    for (const version of versions) {
      const nodeFolder = join(folder, `node-${version}`);
      mkdirSync(nodeFolder);
      // Its install script puts the program in its place.
      writeFileSync(join(nodeFolder, 'package.json'), '{"allowScripts":{"node":true}}');
      npm(nodeFolder, ['install', `node@${version}`]);
      const path = `${join(nodeFolder, 'node_modules/node/bin')}:${process.env.PATH}`;
      const installed = join(folder, `installed-${version}`);
      mkdirSync(installed);
      npm(installed, ['install', ...needed], path);
      console.log(`\nNode.js ${execFileSync('node', ['--version'], { env: { ...process.env, PATH: path } })}`);
      prove(installed, fonts, path);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function npm(cwd: string, words: readonly string[], path = process.env.PATH): void {
  execFileSync('npm', words, { cwd, env: { ...process.env, PATH: path }, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** Without a network except for this machine's own, where Linux lets us have one. */
function prove(installed: string, fonts: string, path: string): void {
  const words = [...process.execArgv, import.meta.filename, '--installed', installed, '--fonts', fonts];
  const alone = ['--net', ...(process.getuid?.() === 0 ? [] : ['--map-root-user']), 'sh', '-c'];
  const canBeAlone = spawnSync('unshare', [...alone, 'ip link set lo up']).status === 0;
  const options = { env: { ...process.env, PATH: path }, stdio: 'inherit' } as const;
  if (canBeAlone) {
    const inside = ['ip link set lo up && exec "$@"', 'sh', process.execPath, ...words];
    execFileSync('unshare', [...alone, ...inside], options);
  } else {
    console.log('The network cannot be taken away here, so that nothing is downloaded is not shown.');
    execFileSync(process.execPath, words, options);
  }
}
