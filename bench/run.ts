import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { acquireRelease } from './acquire-release.ts';
import { authentication } from './authentication.ts';
import { claim } from './claim.ts';
import { deliveries } from './deliveries.ts';
import { eventToReceipt } from './event-to-receipt.ts';
import { fewAtOnce } from './few-at-once.ts';
import { generator } from './generator.ts';
import { hangingEndpoints } from './hanging-endpoints.ts';
import { heartbeat } from './heartbeat.ts';
import { hotLicense } from './hot-license.ts';
import { login } from './login.ts';
import { longPolls } from './long-polls.ts';
import { me } from './me.ts';
import { memoryAndStart } from './memory-and-start.ts';
import { money } from './money.ts';
import { pdfBesideHeartbeats } from './pdf-beside-heartbeats.ts';
import { queues } from './queues.ts';
import { refusals } from './refusals.ts';
import { renewals } from './renewals.ts';
import { requestProcesses } from './request-processes.ts';
import type { Bench, BenchOptions, Figure } from './rig/figure.ts';
import { describePinning } from './rig/pinning.ts';
import { describeFigures } from './rig/table.ts';
import { search } from './search.ts';
import { storedData } from './stored-data.ts';
import { timeTravel } from './time-travel.ts';

/** Every bench, in the order in which they run. */
const BENCHES: readonly Bench[] = [
  generator,
  heartbeat,
  acquireRelease,
  fewAtOnce,
  hotLicense,
  refusals,
  longPolls,
  storedData,
  me,
  authentication,
  login,
  deliveries,
  eventToReceipt,
  claim,
  hangingEndpoints,
  pdfBesideHeartbeats,
  queues,
  renewals,
  money,
  timeTravel,
  search,
  requestProcesses,
  memoryAndStart,
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '8' },
    'warm-up': { type: 'string', default: '2' },
    rounds: { type: 'string', default: '5' },
    minutes: { type: 'string', default: '10' },
    sessions: { type: 'string', default: '1000000' },
    licenses: { type: 'string', default: '100000' },
    finished: { type: 'string', default: '1000000' },
    overdue: { type: 'string', default: '300000' },
    hanging: { type: 'string', default: '1000' },
    jobs: { type: 'string', default: '20000' },
    subscriptions: { type: 'string', default: '1000' },
    organizations: { type: 'string', default: '1000000' },
    profile: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

if (values.help) {
  console.log(`Usage: node bench/run.ts [${BENCHES.map((bench) => bench.name).join('|')} ...]
  --seconds 8   measured seconds of one window      --warm-up 2   seconds before them
  --rounds 5    turns that the contenders take      --minutes 10  of load before memory is read
  --sessions, --licenses   what the large installation stores
  --finished, --overdue    deliveries that are over, and that are due, where claims are measured
  --hanging 1000           endpoints that never answer   --jobs 20000   that each queue runs
  --subscriptions 1000     of each organization that travels in time
  --organizations 1000000  that staff search, with two licenses each
  --profile <folder>       CPU profiles of the service, one for each start`);
} else {
  process.exitCode = await runBenches();
}

async function runBenches(): Promise<number> {
  const unknown = positionals.filter((name) => !BENCHES.some((bench) => bench.name === name));
  if (unknown.length > 0) {
    console.error(
      `There is no bench ${unknown.join(', ')}; there are ${BENCHES.map((bench) => bench.name).join(', ')}.`,
    );
    return 2;
  }
  const options = readOptions();
  const [core] = cpus();
  console.log(
    `Node.js ${process.versions.node}, ${cpus().length} × ${core?.model ?? 'unknown'}; ${describePinning()}.`,
  );
  const figures: Figure[] = [];
  let failures = 0;
  for (const bench of BENCHES) {
    if (positionals.length === 0 || positionals.includes(bench.name)) {
      console.log(`measuring ${bench.name} …`);
      try {
        figures.push(...(await bench.measure(options)));
      } catch (error) {
        failures += 1;
        console.error(`${bench.name} could not be measured:`, error);
      }
    }
  }
  console.log(`\n${describeFigures(figures)}`);
  return failures === 0 ? 0 : 1;
}

function readOptions(): BenchOptions {
  return {
    seconds: positive('seconds', values.seconds),
    warmUpSeconds: positive('warm-up', values['warm-up']),
    rounds: Math.ceil(positive('rounds', values.rounds)),
    minutes: positive('minutes', values.minutes),
    sessions: Math.ceil(positive('sessions', values.sessions)),
    licenses: Math.ceil(positive('licenses', values.licenses)),
    finished: Math.ceil(positive('finished', values.finished)),
    overdue: Math.ceil(positive('overdue', values.overdue)),
    hanging: Math.ceil(positive('hanging', values.hanging)),
    jobs: Math.ceil(positive('jobs', values.jobs)),
    subscriptions: Math.ceil(positive('subscriptions', values.subscriptions)),
    organizations: Math.ceil(positive('organizations', values.organizations)),
    profileDir: values.profile,
  };
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (!(value > 0)) {
    throw new Error(`--${name} must be a number above 0`);
  }
  return value;
}
