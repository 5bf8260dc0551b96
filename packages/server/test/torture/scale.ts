/** Whether this is the long run of `npm run soak` instead of the short one of `npm test`. */
const isSoak = process.env.SEATHOLD_SOAK === '1';

/** The size of something in this run. */
export function scaled<T>(inTest: T, inSoak: T): T {
  return isSoak ? inSoak : inTest;
}
