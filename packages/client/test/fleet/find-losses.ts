import type { Evidence, Line } from './records.ts';
import { isLong, listSleeps, type SleepRules } from './runs.ts';

/**
 * Seats that were lost although the program was not silent for as long as the time-out. `reacquired` counts as a loss: the
 * session had ended, and only luck left a seat.
 */
export function findLosses(evidence: Evidence, rules: SleepRules): string[] {
  return evidence.lines.flatMap((line) => {
    const isLoss = line.event === 'lost' || (line.event === 'granted' && line.reason === 'reacquired');
    if (!isLoss || (hasSlept(line, evidence, rules) && !isFinal(line))) {
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

/** Whether the program slept for long since it asked for the seat. */
function hasSlept({ program, at }: Line, { lines, actions }: Evidence, rules: SleepRules): boolean {
  const isOwnRequest = (line: Line): boolean => line.program === program && line.event === 'asking' && line.at < at;
  const askedAt = lines.findLast(isOwnRequest)?.at ?? 0;
  return listSleeps(actions.filter((action) => action.program === program)).some(
    ({ from, to }) => isLong(to - from, rules) && to > askedAt && from < at,
  );
}
