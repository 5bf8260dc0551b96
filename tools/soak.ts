import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { PARTS } from './soak/parts.ts';
import { forgetProgress, loadProgress, saveProgress } from './soak/progress.ts';
import { describeProgress } from './soak/report.ts';
import { runPortion } from './soak/run-portion.ts';
import { soak } from './soak/soak.ts';

// The long tests at their full size, in portions: `npm run soak -- --hours 2`, and the next run resumes.

const { values } = parseArgs({
  options: {
    hours: { type: 'string', default: '1' },
    only: { type: 'string', multiple: true, default: [] },
    fresh: { type: 'boolean', default: false },
    seed: { type: 'string' },
    folder: { type: 'string', default: '.soak' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

const names = PARTS.map(({ name }) => name);
const unknown = values.only.filter((name) => !names.includes(name));
const hours = Number(values.hours);
const seed = values.seed === undefined ? randomInt(2 ** 31) : Number(values.seed);

if (values.help) {
  console.log(`Usage: npm run soak -- [options]
  --hours 1      how long to work at most; the parts share the time evenly
  --only NAME    this part alone, or several times for several: ${names.join(', ')}
  --fresh        discard all progress and findings, and start over
  --seed N       the seed for all portions of a new soak
  --folder .soak where progress and output are kept
Ctrl-C stops it; the next run resumes. Exits with 1 if there are findings since it started.`);
} else if (unknown.length > 0 || !(hours > 0) || !Number.isSafeInteger(seed)) {
  console.error(`Wrong options: --only is one of ${names.join(', ')}, --hours and --seed are numbers.`);
  process.exitCode = 78;
} else {
  process.exitCode = await main();
}

async function main(): Promise<number> {
  const { folder } = values;
  if (values.fresh) {
    await forgetProgress(folder);
  }
  const progress = await loadProgress(folder, seed);
  if (values.seed !== undefined && progress.seed !== seed) {
    console.error(`The soak in ${folder} started with seed ${progress.seed}. To start over, use --fresh.`);
    return 78;
  }
  await saveProgress(folder, progress);
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => stopping.abort());
  }
  const parts = PARTS.filter(({ name }) => values.only.length === 0 || values.only.includes(name));
  const say = (line: string) => console.log(line);
  say(`seed ${progress.seed}`);
  await soak({ parts, folder, hours, signal: stopping.signal, run: runPortion, say }, progress);
  say(`\n${describeProgress(PARTS, progress)}`);
  return Object.values(progress.parts).some(({ findings }) => findings.length > 0) ? 1 : 0;
}
