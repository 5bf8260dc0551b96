import type { Part } from './parts.ts';
import { type Progress, progressOf } from './progress.ts';

/** A part that keeps failing is skipped: more failures tell nothing new. */
export const MOST_FINDINGS = 3;

export interface Portion {
  part: Part;
  size: number;
  seed: number;
}

/** What there is to know of a run that is under way. */
export interface Run {
  secondsLeft: number;
  /** How long each part has worked in this run. */
  spent: ReadonlyMap<string, number>;
}

/**
 * The next portion: of the part that has had the least time in this run, among those that are not done and whose portion
 * can be expected to end in time. Undefined when there is none.
 */
export function planPortion(parts: readonly Part[], progress: Progress, run: Run): Portion | undefined {
  const [next] = parts
    .filter((part) => {
      const { done, findings } = progressOf(progress, part.name);
      return done < part.target && findings.length < MOST_FINDINGS;
    })
    .filter((part) => expectedSeconds(part, progress) <= run.secondsLeft)
    .toSorted((one, other) => (run.spent.get(one.name) ?? 0) - (run.spent.get(other.name) ?? 0));
  if (next === undefined) {
    return undefined;
  }
  const { done, begun } = progressOf(progress, next.name);
  return {
    part: next,
    size: Math.min(next.portion, next.target - done),
    seed: seedOf(progress.seed, next.name, begun),
  };
}

/** A portion takes as long as those before it did; of the first nobody knows. */
function expectedSeconds({ name }: Part, progress: Progress): number {
  const { begun, seconds } = progressOf(progress, name);
  return begun === 0 ? 0 : seconds / begun;
}

/** One of two thousand million, another one for each portion of each part; FNV-1a. */
function seedOf(seed: number, name: string, number: number): number {
  let hash = 0x811c9dc5;
  for (const character of `${seed}/${name}/${number}`) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  }
  return hash >>> 1;
}
