/**
 * The generation of this version: which schema changes it supports (decision 0078). Raise it when the code no longer
 * needs something that a later migration will remove; that migration begins with `-- oldest generation: N`.
 */
export const GENERATION = 1;

/** How long a process relies on the last answer about generations. */
export const STANDING_LASTS_MS = 2_000;

/** The message of a process that is too old, in its log and to its clients. */
export function OUTDATED(oldest: number): string {
  return `this version is too old for the database, which requires generation ${oldest} and not ${GENERATION}; start the newer version instead`;
}
