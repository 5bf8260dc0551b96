import type { Place } from './places.ts';
import type { Evidence } from './records.ts';
import { listSleeps, type Run, runningAt } from './runs.ts';

/**
 * Programs that got a seat that belonged to another. Several seats may be reserved at the same time, so the second in
 * line may take its seat before the first does. But a program that gets a seat must leave one for each program that was
 * ahead of it in line and gets its seat later.
 */
export function findOvertaking(places: readonly Place[], runs: readonly Run[], seats: number): string[] {
  const granted = places.filter(({ end }) => end === 'granted');
  return granted.flatMap((place) => {
    if (place.mayHaveSession) {
      return [];
    }
    const ahead = granted.filter(
      (other) => other.knownAt !== undefined && other.knownAt < place.earliestInLineAt && other.endedAt > place.endedAt,
    );
    const running = runningAt(runs, place.endedAt);
    const names = ahead.map(({ program }) => program).join(', ');
    return ahead.length > 0 && running + ahead.length > seats
      ? [
          `${place.program} got a seat at ${Math.round(place.endedAt)} with ${running} of ${seats} in use, before ${names}`,
        ]
      : [];
  });
}

/** Places in line that led to no seat for no reason. */
export function findUnfinishedPlaces(places: readonly Place[], { actions, faults }: Evidence): string[] {
  return places.flatMap((place) => {
    const { program, end, reason, knownAt, askedAt, endedAt } = place;
    const who = `${program}, which asked at ${Math.round(askedAt)},`;
    if (end === 'unfinished') {
      return [`${who} was still without a seat at the end`];
    }
    if (end === 'refused') {
      return [`${who} was refused: ${reason}`];
    }
    if (end !== 'lapsed') {
      return [];
    }
    // A laptop that sleeps or has no network does not claim its reserved seat in time, and loses its place.
    const sleeps = listSleeps(actions.filter((action) => action.program === program));
    const hadReason = [...sleeps, ...faults].some(({ from, to }) => from < endedAt && to > (knownAt ?? askedAt));
    return hadReason ? [] : [`${who} lost its place in line at ${Math.round(endedAt)} without a reason`];
  });
}
