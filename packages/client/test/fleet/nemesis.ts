import { setTimeout as sleep } from 'node:timers/promises';
import type { FleetProgram } from './fleet-program.ts';
import type { FleetService } from './fleet-service.ts';
import { type Fault, monotonicMs } from './records.ts';
import type { Weather } from './unreliable-network.ts';

/** How long a fault lasts, and how long it is quiet before the next. */
const FAULT_MS = [3_000, 8_000] as const;
const PAUSE_MS = [2_000, 5_000] as const;
/** A request over a vanished connection is given up after 35 s at most. */
const VANISHED_TAIL_MS = 36_000;
const SHORT_SLEEP_MS = [1_000, 8_000] as const;
const JUMPS_MS = [-1_800_000, -15_000, 15_000, 90_000, 3_600_000];

type Trouble = (service: FleetService, forMs: number) => Promise<void>;

/** What goes wrong for all programs at the same time. */
const TROUBLES: Readonly<Record<string, Trouble>> = {
  'service killed': async (service, forMs) => {
    await service.kill();
    await sleep(forMs);
    await service.startAgain();
  },
  'PostgreSQL killed': async (service, forMs) => {
    service.killPostgres();
    await sleep(forMs);
  },
  'PostgreSQL away': async (service, forMs) => {
    await service.takePostgresAway();
    await sleep(forMs);
    await service.bringPostgresBack();
  },
  'network cut': weather('cut'),
  'network frozen': weather('frozen'),
  'connections vanished': weather('vanished'),
  'network slow': weather('slow'),
  'network garbled': weather('garbled'),
  'network lying': weather('lying'),
};

const TROUBLE_NAMES = Object.keys(TROUBLES);

function weather(name: Weather): Trouble {
  return async ({ network }, forMs) => {
    network.change(name);
    await sleep(forMs);
    network.change('fine');
  };
}

/** Causes one trouble after another until the time is over, each at least once. */
export async function makeTrouble(
  service: FleetService,
  untilMs: number,
  say: (text: string) => void,
): Promise<Fault[]> {
  const faults: Fault[] = [];
  for (let round = 1; round === 1 || monotonicMs() < untilMs; round += 1) {
    for (const name of shuffled(TROUBLE_NAMES)) {
      await sleep(between(PAUSE_MS));
      if (round > 1 && monotonicMs() >= untilMs) {
        break;
      }
      say(name);
      const from = monotonicMs();
      await TROUBLES[name]?.(service, between(FAULT_MS));
      faults.push({ name, from, to: monotonicMs() + (name === 'connections vanished' ? VANISHED_TAIL_MS : 0) });
    }
  }
  return faults;
}

/** Puts laptops to sleep for a short time, kills or closes programs, and makes clocks jump, until the time is over. */
export async function disturbPrograms(
  programs: readonly FleetProgram[],
  untilMs: number,
): Promise<Map<string, number>> {
  const done = new Map<string, number>();
  const pending: Array<Promise<void>> = [];
  // Each program is disturbed about every 40 seconds.
  const pauseMs = 40_000 / programs.length;
  while (monotonicMs() < untilMs) {
    await sleep(pauseMs * (0.5 + Math.random()));
    const program = pickOne(programs.filter(({ isAwake }) => isAwake));
    const [name, act] = pickOne(DISTURBANCES) ?? ['', undefined];
    if (program !== undefined && act !== undefined && (name !== 'clock jumped' || program.language.canShiftClock)) {
      done.set(name, (done.get(name) ?? 0) + 1);
      pending.push(act(program));
    }
  }
  await Promise.all(pending);
  return done;
}

type Disturbance = (program: FleetProgram) => Promise<void>;

const DISTURBANCES: ReadonlyArray<readonly [string, Disturbance]> = [
  [
    'slept',
    async (program) => {
      program.fallAsleep();
      await sleep(between(SHORT_SLEEP_MS));
      program.wakeUp();
    },
  ],
  [
    'clock jumped',
    async (program) => {
      program.shiftClock(pickOne(JUMPS_MS) ?? 0);
    },
  ],
  [
    'killed',
    async (program) => {
      await program.kill();
      await sleep(1_000);
      program.start();
    },
  ],
  [
    'closed',
    async (program) => {
      await program.tellToEnd();
      await sleep(1_000);
      program.start();
    },
  ],
];

/**
 * Puts programs to sleep for longer than the time-out, one group after another, so that they lose their seats and
 * places.
 */
export async function sleepForLong(
  programs: readonly FleetProgram[],
  sleepMs: number,
  untilMs: number,
): Promise<number> {
  let count = 0;
  // By then, the first programs have seats.
  await sleep(10_000);
  while (monotonicMs() + sleepMs < untilMs) {
    const most = Math.ceil(programs.length / 20);
    const awake = shuffled(programs.filter(({ isAwake }) => isAwake));
    const holders = awake.filter(({ hasSeat }) => hasSeat);
    const others = awake.filter((program) => !holders.includes(program));
    const sleepers = [...holders.slice(0, most), ...others.slice(0, most)];
    for (const program of sleepers) {
      program.fallAsleep();
    }
    count += sleepers.length;
    await sleep(sleepMs);
    for (const program of sleepers) {
      program.wakeUp();
    }
    await sleep(between(PAUSE_MS));
  }
  return count;
}

function between([least, most]: readonly [number, number]): number {
  return least + Math.random() * (most - least);
}

function pickOne<T>(list: readonly T[]): T | undefined {
  return list[Math.floor(Math.random() * list.length)];
}

function shuffled<T>(list: readonly T[]): T[] {
  return list
    .map((each) => ({ each, order: Math.random() }))
    .sort((one, other) => one.order - other.order)
    .map(({ each }) => each);
}
