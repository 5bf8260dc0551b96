import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buildClient } from './client-package/build-client.ts';
import { prepareLicense } from './sdks/prepare-license.ts';
import { FreshService } from './smoke/fresh-service.ts';

// `npm run test:runtimes` tries the built client, with its keeper and its typed API, on Node.js, Bun and Deno, against a service
// that is started for it. `-- bun` tries one. Those that are not installed are left out, with a line that says so.

/** How a program is started, and how it learns of the service's certificate authority. */
const RUNTIMES: Readonly<Record<string, readonly string[]>> = {
  node: [process.execPath],
  bun: ['bun', 'run'],
  deno: ['deno', 'run', '--allow-all', '--node-modules-dir=manual'],
};

process.exitCode = await main(process.argv.slice(2));

async function main(names: readonly string[]): Promise<number> {
  const chosen = Object.entries(RUNTIMES).filter(([name]) => names.length === 0 || names.includes(name));
  const ready = chosen.filter(([name, [program = '']]) => isInstalled(name, program));
  const folder = await mkdtemp(join(tmpdir(), 'seathold-runtimes-'));
  const service = await FreshService.start(folder, { settings: { SEATHOLD_RATE_LIMITS: 'off' } });
  try {
    installClient(folder);
    await service.ready();
    const failed: string[] = [];
    for (const [name, command] of ready) {
      // Each has a license of its own, so that a seat that one leaves behind is not in the way of the next.
      const isGood = tryOn(command, folder, await prepareLicense(service, folder));
      console.log(`${name} ${versionOf(command[0] ?? '')}: ${isGood ? 'passed' : 'failed'}`);
      failed.push(...(isGood ? [] : [name]));
    }
    await service.stop();
    return failed.length === 0 ? 0 : 1;
  } finally {
    await service.kill();
    await rm(folder, { recursive: true, force: true });
  }
}

function isInstalled(name: string, program: string): boolean {
  const isThere = spawnSync(program, ['--version']).status === 0;
  if (!isThere) {
    console.log(`${name}: left out, because it is not installed`);
  }
  return isThere;
}

function versionOf(program: string): string {
  return /\d\S*/.exec(spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout)?.[0] ?? '';
}

/** As npm would install the package, with the program beside it. */
function installClient(folder: string): void {
  mkdirSync(join(folder, 'node_modules/@seathold'), { recursive: true });
  buildClient(join(folder, 'node_modules/@seathold/client'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module","dependencies":{"@seathold/client":"*"}}');
  copyFileSync(resolve(import.meta.dirname, 'runtimes/program.mjs'), join(folder, 'program.mjs'));
}

function tryOn(command: readonly string[], folder: string, service: Readonly<Record<string, string>>): boolean {
  const [program = '', ...words] = command;
  const { status } = spawnSync(program, [...words, join(folder, 'program.mjs')], {
    cwd: folder,
    env: {
      ...process.env,
      ...service,
      NODE_EXTRA_CA_CERTS: service.SEATHOLD_CA_FILE,
      RUNTIME_COMMAND: JSON.stringify(command),
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return status === 0;
}
