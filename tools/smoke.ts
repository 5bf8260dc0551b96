import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HOUR } from './smoke/first-hour.ts';
import { FreshService } from './smoke/fresh-service.ts';

// The README's first hour against a service that is started for it: `npm run smoke`. Needs free ports and no network.

process.exitCode = await main();

async function main(): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'seathold-smoke-'));
  const began = performance.now();
  const service = await FreshService.start(folder);
  try {
    await step('npm start is ready', () => service.ready());
    for (const { promise, prove } of HOUR) {
      await step(promise, () => prove(service));
    }
    await step('Ctrl-C ends it in order', () => service.stop());
    console.log(`\nAll of it works: ${seconds(performance.now() - began)}.`);
    return 0;
  } catch (error) {
    console.error(`What the service printed:\n${service.printed}\n`);
    console.error(error);
    return 1;
  } finally {
    await service.kill();
    await rm(folder, { recursive: true, force: true });
  }
}

async function step(promise: string, prove: () => Promise<void>): Promise<void> {
  const began = performance.now();
  try {
    await prove();
  } catch (error) {
    throw new Error(`failed: ${promise}`, { cause: error });
  }
  console.log(`ok  ${promise} (${seconds(performance.now() - began)})`);
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
