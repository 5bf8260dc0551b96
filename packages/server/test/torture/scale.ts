/** Whether this is the long run of `npm run soak` instead of the short one of `npm test`. */
const isSoak = process.env.SEATHOLD_SOAK === '1';

/**
 * The size of something in this run. With the short run's sizes, running everything, browser included, takes less than
 * twenty minutes on two cores. Random runs take a new seed each time, so many short ones cover as much as a long one.
 */
export function scaled<T>(inTest: T, inSoak: T): T {
  return isSoak ? inSoak : inTest;
}

/** The size of something that a soak counts: all of it, or the portion that `npm run soak` requests. */
export function portionOf(inTest: number, inSoak: number): number {
  return isSoak ? Number(process.env.SEATHOLD_SOAK_PORTION ?? inSoak) : inTest;
}

/** The seed of a run, to reproduce it. Without one, the run takes a new seed and prints it if it fails. */
export const givenSeed: number | undefined =
  process.env.SEATHOLD_SOAK_SEED === undefined ? undefined : Number(process.env.SEATHOLD_SOAK_SEED);
