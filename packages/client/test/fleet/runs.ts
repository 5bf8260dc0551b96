import type { Action, Evidence, Fault, Line } from './records.ts';

/** A time in which a program ran. */
export interface Run {
  readonly program: string;
  readonly from: number;
  readonly to: number;
}

export interface SleepRules {
  readonly timeoutMs: number;
  readonly quietMs: number;
  readonly graceMs: number;
}

/** When each program ran. */
export function listRuns({ lines, actions, faults }: Evidence, rules: SleepRules): Run[] {
  const programs = new Set(lines.map(({ program }) => program));
  return [...programs].flatMap((program) => {
    const own = lines.filter((line) => line.program === program);
    const done = actions.filter((action) => action.program === program);
    const asleep = listSleeps(done).filter(({ from, to }) => isLong(to - from, rules));
    return asleep.reduce(
      (runs, sleep) => runs.flatMap((run) => withoutSleep(run, sleep, knowsAt(sleep.to, own, faults, rules.graceMs))),
      runsOf(program, own, done),
    );
  });
}

function runsOf(program: string, lines: readonly Line[], actions: readonly Action[]): Run[] {
  const runs: Run[] = [];
  let from: number | undefined;
  const all = [...lines, ...actions].sort((one, other) => one.at - other.at);
  for (const { event, at } of all) {
    if (event === 'granted') {
      from ??= at;
    } else if (from !== undefined && STOPS.has(event)) {
      runs.push({ program, from, to: at });
      from = undefined;
    }
  }
  // A program that is still running when the records end counts as running forever.
  return from === undefined ? runs : [...runs, { program, from, to: Number.POSITIVE_INFINITY }];
}

const STOPS: ReadonlySet<string> = new Set(['lost', 'stopping', 'killed', 'told_to_end']);

export interface Sleep {
  readonly from: number;
  readonly to: number;
}

/** When the program that these actions were done to slept. */
export function listSleeps(actions: readonly Action[]): Sleep[] {
  const sleeps: Sleep[] = [];
  let from: number | undefined;
  for (const { event, at } of actions) {
    if (event === 'asleep') {
      from = at;
    } else if (event === 'awake' && from !== undefined) {
      sleeps.push({ from, to: at });
      from = undefined;
    }
  }
  return from === undefined ? sleeps : [...sleeps, { from, to: Number.POSITIVE_INFINITY }];
}

/** Whether a session may time out during a sleep of this length. */
export function isLong(sleptMs: number, { timeoutMs, quietMs }: SleepRules): boolean {
  return sleptMs >= timeoutMs - quietMs;
}

/**
 * When a program that woke up had to know whether it still has its seat: at its first event, or some time after the
 * last fault.
 */
function knowsAt(awakeAt: number, lines: readonly Line[], faults: readonly Fault[], graceMs: number): number {
  const told = lines.find(({ at, event }) => at > awakeAt && event !== 'offline')?.at ?? Number.POSITIVE_INFINITY;
  const inOrder = [...faults].sort((one, other) => one.from - other.from);
  const calmAt = inOrder.reduce((at, { from, to }) => (from < at + graceMs ? Math.max(at, to) : at), awakeAt);
  return Math.min(told, calmAt + graceMs);
}

/** The run without the sleep, and without the time until the program had to know whether it still has its seat. */
function withoutSleep(run: Run, sleep: Sleep, knowsFrom: number): Run[] {
  if (sleep.from >= run.to || sleep.to <= run.from) {
    return [run];
  }
  return [
    { ...run, to: sleep.from },
    { ...run, from: knowsFrom },
  ].filter(({ from, to }) => from < to);
}

/**
 * The highest number of programs that ran at the same time, and each moment at which there became more of them than
 * seats.
 */
export function countRunning(runs: readonly Run[], seats: number): { most: number; moments: string[] } {
  const changes = runs.flatMap(({ from, to, program }) => [
    { at: from, by: 1, program },
    { at: to, by: -1, program },
  ]);
  changes.sort((one, other) => one.at - other.at || one.by - other.by);
  const moments: string[] = [];
  let running = 0;
  let most = 0;
  for (const { at, by, program } of changes) {
    running += by;
    most = Math.max(most, running);
    if (by === 1 && running > seats) {
      moments.push(`${running} programs ran on ${seats} seats when ${program} got one at ${Math.round(at)}`);
    }
  }
  return { most, moments };
}

/** How many programs ran at this moment, including one that got its seat just then. */
export function runningAt(runs: readonly Run[], at: number): number {
  return runs.filter(({ from, to }) => from <= at && at < to).length;
}
