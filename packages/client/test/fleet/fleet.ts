import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { endServers } from '../../../server/test/torture/server-process.ts';
import { FleetProgram } from './fleet-program.ts';
import { FleetService } from './fleet-service.ts';
import { judge, type Verdict } from './judge.ts';
import { type Language, prepareLanguages } from './languages.ts';
import { disturbPrograms, makeTrouble, sleepForLong } from './nemesis.ts';
import { type Action, type Fault, type Line, monotonicMs } from './records.ts';

// In `npm run test:fleet`, programs in four languages share the seats of one license, each with its language's keeper.
// Meanwhile the service is killed, its database goes down, the network fails and lies, clocks jump, and laptops sleep.
// The verdict rests on what the programs wrote, held against the promises in docs/reference/seat-keeper.md.

const { values } = parseArgs({
  options: {
    programs: { type: 'string', default: '24' },
    seats: { type: 'string', default: '6' },
    seconds: { type: 'string', default: '90' },
    /** Keeps what the programs wrote and what was done to them, and prints where. */
    keep: { type: 'boolean', default: false },
  },
});

const HEARTBEAT_SECONDS = 4;
const TIMEOUT_SECONDS = 60;
/**
 * How old a program's last heartbeat may be when it falls asleep: 0.6 of the interval, a network fault, 15 s for a
 * request over a vanished connection, and the pause after it.
 */
const QUIET_MS = 0.6 * HEARTBEAT_SECONDS * 1_000 + 8_000 + 15_000 + 2_000;
const LONG_SLEEP_MS = (TIMEOUT_SECONDS + 5) * 1_000;
/** The time limit of a heartbeat plus that of the acquire that follows it. */
const GRACE_MS = 45_000;
/** How long a program uses its seat: through several heartbeats, and through most faults. */
const HOLD_MS = [10_000, 30_000] as const;
/** A seat reserved for a program that was killed in line is kept for 30 s. */
const RESERVED_MS = 30_000;

async function main(size: { programs: number; seats: number; seconds: number }): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'seathold-fleet-'));
  try {
    const languages = prepareLanguages(folder);
    const trial = await Trial.start(folder, languages, size);
    const broken = await trial.run(size.seconds * 1_000);
    for (const each of broken) {
      console.error(`BROKEN ${each}`);
    }
    return broken.length === 0 ? 0 : 1;
  } finally {
    await endServers();
    if (values.keep) {
      console.log(`The programs' output is in ${folder}`);
    } else {
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  }
}

class Trial {
  readonly #service: FleetService;
  readonly #programs: readonly FleetProgram[];
  readonly #seats: number;
  readonly #folder: string;
  #faults: Fault[] = [];

  private constructor(folder: string, service: FleetService, programs: readonly FleetProgram[], seats: number) {
    this.#folder = folder;
    this.#service = service;
    this.#programs = programs;
    this.#seats = seats;
  }

  static async start(
    folder: string,
    languages: readonly Language[],
    { programs: count, seats }: { programs: number; seats: number },
  ): Promise<Trial> {
    const [heartbeatSeconds, timeoutSeconds] = [HEARTBEAT_SECONDS, TIMEOUT_SECONDS];
    const service = await FleetService.start(folder, { seats, programs: count, heartbeatSeconds, timeoutSeconds });
    const lines = join(folder, 'programs');
    await mkdir(lines);
    const env = {
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '',
      SEATHOLD_URL: service.url,
      SEATHOLD_CA_FILE: service.authorityFile,
      NODE_EXTRA_CA_CERTS: service.authorityFile,
      LICENSE_KEY: service.licenseKey,
      HOLD_LEAST_MS: String(HOLD_MS[0]),
      HOLD_MOST_MS: String(HOLD_MS[1]),
    };
    const programs = Array.from({ length: count }, (_, index) => {
      const language = languages[index % languages.length];
      if (language === undefined) {
        throw new Error('there is no language');
      }
      // Some have no account, and activate their machine with the license key.
      const own = index % 5 === 4 ? env : { ...env, SEATHOLD_TOKEN: service.token };
      return new FleetProgram(`${language.name}-${index + 1}`, language, { folder: lines, env: own });
    });
    return new Trial(folder, service, programs, seats);
  }

  /** Returns the broken promises. */
  async run(durationMs: number): Promise<string[]> {
    const began = monotonicMs();
    const say = (text: string): void => console.log(`${Math.round((monotonicMs() - began) / 1000)} s: ${text}`);
    try {
      say(`${this.#programs.length} programs on ${this.#seats} seats`);
      for (const program of this.#programs) {
        program.start();
        await sleep(50);
      }
      const until = monotonicMs() + durationMs;
      const [faults, disturbances, longSleeps] = await Promise.all([
        makeTrouble(this.#service, until, say),
        disturbPrograms(this.#programs, until),
        sleepForLong(this.#programs, LONG_SLEEP_MS, until),
      ]);
      this.#faults = faults;
      const calmFrom = monotonicMs();
      say(`all is well again, after ${[...disturbances].map(([name, count]) => `${name} ${count}`).join(', ')}, and`);
      say(`${longSleeps} sleeps of ${LONG_SLEEP_MS / 1000} s`);
      await this.#untilServed(calmFrom);
      say('each program had a turn');
      await this.#endPrograms();
      return [...this.#judge(calmFrom), ...(await this.#findLostSeats(say))];
    } finally {
      await Promise.all(this.#programs.map((program) => program.kill()));
      await this.#service.close();
    }
  }

  /** Waits until each program has had a seat, or long enough to be sure that one never will. */
  async #untilServed(from: number): Promise<void> {
    const waiting = new Set(this.#programs);
    // Twice as long as the whole line needs if each program uses its seat for the longest time.
    const until = from + 2 * HOLD_MS[1] * Math.ceil(this.#programs.length / this.#seats) + TIMEOUT_SECONDS * 1_000;
    while (waiting.size > 0 && monotonicMs() < until) {
      await sleep(1_000);
      for (const program of waiting) {
        if (program.readLines().some(({ at, event }) => at > from && (event === 'granted' || event === 'stopping'))) {
          waiting.delete(program);
        }
      }
    }
  }

  /** Some are killed, and leave their seats to the time-out. */
  async #endPrograms(): Promise<void> {
    await Promise.all(this.#programs.map((program, index) => (index % 6 === 0 ? program.kill() : program.tellToEnd())));
  }

  #judge(calmFrom: number): string[] {
    const lines: Line[] = this.#programs.flatMap((program) => program.readLines());
    const actions: Action[] = this.#programs.flatMap((program) => program.actions);
    const evidence = { lines, actions, faults: this.#faults };
    const times = { timeoutMs: TIMEOUT_SECONDS * 1_000, quietMs: QUIET_MS, graceMs: GRACE_MS, calmFrom };
    writeFileSync(join(this.#folder, 'evidence.json'), JSON.stringify({ evidence, times }));
    const verdict = judge(evidence, { seats: this.#seats, ...times });
    report(verdict, lines, this.#programs);
    const failures = this.#programs.flatMap(({ failure }) => (failure === undefined ? [] : [failure]));
    return [...verdict.broken, ...failures, ...this.#findIdle(verdict), ...this.#service.faults];
  }

  /** A trial in which too little happened proves nothing. */
  #findIdle({ mostRunning, turnsInLine }: Verdict): string[] {
    return [
      ...(mostRunning < this.#seats
        ? [`only ${mostRunning} of ${this.#seats} seats were ever used at the same time`]
        : []),
      ...(turnsInLine < this.#programs.length - this.#seats ? [`only ${turnsInLine} turns came from the line`] : []),
    ];
  }

  /** All seats can be acquired once those of killed programs have timed out. */
  async #findLostSeats(say: (text: string) => void): Promise<string[]> {
    const until = monotonicMs() + TIMEOUT_SECONDS * 1_000 + RESERVED_MS + 15_000;
    let taken = 0;
    while (taken < this.#seats && monotonicMs() < until) {
      if (await this.#service.takeSeat(`hw_${randomBytes(16).toString('hex')}`)) {
        taken += 1;
      } else {
        await sleep(500);
      }
    }
    const invariants = await this.#service.checkInvariants();
    say(`${taken} of ${this.#seats} seats were free at the end, and ${invariants} invariants hold`);
    return taken === this.#seats ? [] : [`${this.#seats - taken} seats stayed lost`];
  }
}

function report(verdict: Verdict, lines: readonly Line[], programs: readonly FleetProgram[]): void {
  const { mostRunning, turns, turnsInLine, longestWaitMs, broken } = verdict;
  const count = (event: Line['event']): number => lines.filter((line) => line.event === event).length;
  const perLanguage = Map.groupBy(
    lines.filter(({ event }) => event === 'stopping'),
    ({ program }) => programs.find(({ name }) => name === program)?.language.name ?? '',
  );
  console.log(`at most ${mostRunning} running at the same time; ${turns} turns, ${turnsInLine} of them from the line`);
  console.log(`longest wait ${Math.round(longestWaitMs / 1000)} s`);
  console.log(`offline ${count('offline')} times, lost ${count('lost')} times`);
  console.log([...perLanguage].map(([name, own]) => `${name} ${own.length}`).join(', '));
  console.log(broken.length === 0 ? 'no promise was broken' : `${broken.length} promises were broken`);
}

process.exit(
  await main({ programs: Number(values.programs), seats: Number(values.seats), seconds: Number(values.seconds) }),
);
