/** Whether this is the long run of `npm run soak` instead of the short one of `npm test`. */
const isSoak = process.env.SEATHOLD_SOAK === '1';

/**
 * The size of something in this run. The sizes of the short run leave a run of everything, browser included, below twenty
 * minutes on two cores. Random runs take a new seed each time, so many short ones cover what a long one does.
 */
export function scaled<T>(inTest: T, inSoak: T): T {
  return isSoak ? inSoak : inTest;
}

/** The size of what a soak counts: all of it, or the portion that `npm run soak` asks for. */
export function portionOf(inTest: number, inSoak: number): number {
  return isSoak ? Number(process.env.SEATHOLD_SOAK_PORTION ?? inSoak) : inTest;
}

/** The seed of a run, to reproduce it; without one, the run takes a new seed and prints it if it fails. */
export const givenSeed: number | undefined =
  process.env.SEATHOLD_SOAK_SEED === undefined ? undefined : Number(process.env.SEATHOLD_SOAK_SEED);
