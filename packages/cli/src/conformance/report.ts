import type { GroupOutcome, Outcome } from './run-checks.ts';

/** The number of checks by outcome. */
export interface Totals {
  held: number;
  failed: number;
  left_out: number;
}

export function countOutcomes(groups: readonly GroupOutcome[]): Totals {
  const all = groups.flatMap(({ checks }) => checks);
  const count = (outcome: Outcome['outcome']) => all.filter((each) => each.outcome === outcome).length;
  return { held: count('holds'), failed: count('fails'), left_out: count('left_out') };
}

/** The lines of a group, for people. */
export function describeGroup({ title, checks }: GroupOutcome): string[] {
  return [
    title,
    ...checks.flatMap(({ name, outcome, message }) => [
      `  ${MARKS[outcome]} ${name}`,
      ...(outcome === 'holds' ? [] : [`       ${outcome === 'left_out' ? 'left out: ' : ''}${message}`]),
    ]),
    '',
  ];
}

const MARKS: Readonly<Record<Outcome['outcome'], string>> = { holds: 'ok  ', fails: 'FAIL', left_out: '-   ' };

/** The last line. */
export function describeTotals({ held, failed, left_out: leftOut }: Totals): string {
  return `${held} hold, ${failed} ${failed === 1 ? 'fails' : 'fail'}, ${leftOut} left out.`;
}
