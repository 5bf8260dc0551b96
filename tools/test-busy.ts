import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';

// The suite beside busy loops, as on a machine that has other work to do: `npm run test:busy -- --loops 4 [files]`.

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { loops: { type: 'string', default: '4' }, minutes: { type: 'string', default: '120' } },
});

/** Ends by itself when its time is over, and when the process that began it is gone. */
const LOOP = `const [endsAt, parent] = process.argv.slice(1).map(Number);
while (Date.now() < endsAt && process.ppid === parent);`;

const endsAt = Date.now() + Number(values.minutes) * 60_000;
const loops = Array.from({ length: Number(values.loops) }, () =>
  spawn(process.execPath, ['-e', LOOP, String(endsAt), String(process.pid)], { stdio: 'ignore' }),
);
const suite = spawn('npx', ['vitest', 'run', ...positionals], { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => suite.kill(signal));
}
const [code] = await once(suite, 'close');
const isBusy = loops.every((loop) => loop.exitCode === null);
for (const loop of loops) {
  loop.kill('SIGKILL');
}
console.log(
  isBusy
    ? `The suite ran beside ${loops.length} busy loops.`
    : `The busy loops ended before the suite did: give them more than ${values.minutes} minutes.`,
);
process.exitCode = isBusy ? (code ?? 1) : 1;
