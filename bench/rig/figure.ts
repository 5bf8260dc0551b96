/** How much is measured, from the command line. */
export interface BenchOptions {
  /** Measured seconds of one window, after its warm-up. */
  seconds: number;
  warmUpSeconds: number;
  /** How often the contenders take turns. */
  rounds: number;
  /** How long the memory bench keeps the service under load. */
  minutes: number;
  /** The stored data of the large installation. */
  sessions: number;
  licenses: number;
  /** Deliveries that are over, and deliveries that are overdue, where claims and hanging endpoints are measured. */
  finished: number;
  overdue: number;
  /** Endpoints that never answer. */
  hanging: number;
  /** Jobs that each queue runs. */
  jobs: number;
  /** Of each organization that travels in time. */
  subscriptions: number;
  /** That staff search. */
  organizations: number;
  /** Where each service child leaves its CPU profile; undefined: none is taken. */
  profileDir: string | undefined;
}

/** One promise of speed. */
export interface Bench {
  name: string;
  measure(options: BenchOptions): Promise<Figure[]>;
}

/** What was measured for one promise, ready for the table. */
export interface Figure {
  name: string;
  unit: string;
  ours: number;
  limit: number;
  /** What the limit is, in a few words. */
  limitIs: string;
  /** Ours divided by the limit: the median round, and the extremes. */
  ratio: { median: number; lowest: number; highest: number };
  /** The ratio that is promised; undefined when the figure is only told. */
  bar: number | undefined;
  /** The promise is of a ratio that is no higher: of a time, where less is better. */
  isAtMost?: boolean;
  /** The parts that the limit is made of, and what else explains the figure. */
  notes: readonly string[];
}

/** One round of measuring: both sides, one after the other. */
export interface Round {
  ours: number;
  limit: number;
}

/** Runs `body` once unmeasured, while compilers and caches warm up, and then for every round. */
export async function inRounds<Result>(options: BenchOptions, body: () => Promise<Result>): Promise<Result[]> {
  await body();
  const results: Result[] = [];
  for (let round = 0; round < options.rounds; round += 1) {
    results.push(await body());
  }
  return results;
}

/** The figure of some rounds. Ratios are taken within each round, so that a slow minute slows both sides of it. */
export function makeFigure(
  about: Pick<Figure, 'name' | 'unit' | 'limitIs' | 'bar' | 'isAtMost'> & { notes?: readonly string[] },
  rounds: readonly Round[],
): Figure {
  const ratios = rounds.map(({ ours, limit }) => ours / limit);
  return {
    notes: [],
    ...about,
    ours: median(rounds.map((round) => round.ours)),
    limit: median(rounds.map((round) => round.limit)),
    ratio: { median: median(ratios), lowest: Math.min(...ratios), highest: Math.max(...ratios) },
  };
}

/** The middle value, or the mean of the two middle ones; NaN of nothing. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  const lower = sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN;
  return (lower + upper) / 2;
}

/** The value that this share of the values do not exceed; NaN of nothing. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}
