import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepareLicense } from './sdks/prepare-license.ts';
import { SDKS, type Sdk } from './sdks/sdks.ts';
import { FreshService } from './smoke/fresh-service.ts';

// `npm run test:sdks` runs the tests of every SDK, against a service that is started for it. `-- python go` runs some. An SDK
// whose toolchain is missing is left out, with a line that says so.

process.exitCode = await main(process.argv.slice(2));

async function main(names: readonly string[]): Promise<number> {
  const chosen = SDKS.filter(({ name }) => names.length === 0 || names.includes(name));
  const ready = chosen.filter(hasToolchain);
  const folder = await mkdtemp(join(tmpdir(), 'seathold-sdks-'));
  const service = await FreshService.start(folder, { settings: { SEATHOLD_RATE_LIMITS: 'off' } });
  try {
    await service.ready();
    const failed: string[] = [];
    for (const sdk of ready) {
      // Each has a license of its own, so that a seat that one leaves behind is not in the way of the next.
      const isGood = test(sdk, await prepareLicense(service, folder));
      console.log(`${sdk.name}: ${isGood ? 'passed' : 'failed'}`);
      failed.push(...(isGood ? [] : [sdk.name]));
    }
    await service.stop();
    return failed.length === 0 ? 0 : 1;
  } finally {
    await service.kill();
    await rm(folder, { recursive: true, force: true });
  }
}

function hasToolchain({ name, needs }: Sdk): boolean {
  const missing = needs.filter((choices) => !choices.split('|').some(isInstalled));
  if (missing.length > 0) {
    console.log(`${name}: left out, because ${missing.join(' and ')} is not installed`);
  }
  return missing.length === 0;
}

function isInstalled(program: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
}

function test({ name, commands, env = {} }: Sdk, service: Readonly<Record<string, string>>): boolean {
  const cwd = fileURLToPath(new URL(`../sdks/${name}`, import.meta.url));
  return commands.every(([program = '', ...words]) => {
    const { status } = spawnSync(program, words, {
      cwd,
      env: { ...process.env, ...service, ...env },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    return status === 0;
  });
}
