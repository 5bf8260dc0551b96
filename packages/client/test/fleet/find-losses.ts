import type { Evidence, Line } from './records.ts';
import { isLong, listSleeps, type SleepRules } from './runs.ts';

/**
 * Seats that were lost although the program was never silent for as long as the time-out. `reacquired` counts as a
 * loss: the session had ended, and only luck left a free seat.
 */
export function findLosses(evidence: Evidence, rules: SleepRules): string[] {
  return evidence.lines.flatMap((line) => {
    const isLoss = line.event === 'lost' || (line.event === 'granted' && line.reason === 'reacquired');
    if (!isLoss || (!isFinal(line) && (hasSlept(line, evidence, rules) || wasReleasedBefore(line, evidence)))) {
      return [];
    }
    const { program, at, reason } = line;
    return [
      `${program} lost its seat at ${Math.round(at)} (${reason}${isFinal(line) ? ', for good' : ''}) without a long sleep`,
    ];
  });
}

function isFinal(line: Line): boolean {
  return line.event === 'lost' && line.final;
}

/**
 * Whether a fault may have delayed a release by the program's previous process until the next process had the same
 * session.
 */
function wasReleasedBefore(line: Line, { lines, actions, faults }: Evidence): boolean {
  if (line.event !== 'lost' || line.reason !== 'session_released') {
    return false;
  }
  const releases = [
    ...lines.filter(({ event }) => event === 'stopping'),
    ...actions.filter(({ event }) => event === 'told_to_end'),
  ].filter(({ program, at }) => program === line.program && at < line.at && at > line.at - LATE_RELEASE_MS);
  return releases.some(({ at }) => faults.some(({ from, to }) => from < line.at && to > at));
}

/** A fault lasts ten seconds, and the process has a few more to exit. */
const LATE_RELEASE_MS = 20_000;

/** Whether the program has slept for long since it asked for the seat. */
function hasSlept({ program, at }: Line, { lines, actions }: Evidence, rules: SleepRules): boolean {
  const isOwnRequest = (line: Line): boolean => line.program === program && line.event === 'asking' && line.at < at;
  const askedAt = lines.findLast(isOwnRequest)?.at ?? 0;
  return listSleeps(actions.filter((action) => action.program === program)).some(
    ({ from, to }) => isLong(to - from, rules) && to > askedAt && from < at,
  );
}
