import type { CheckGroup } from './check.ts';
import { LeftOut } from './expectations.ts';
import type { GroupKey } from './group-keys.ts';
import type { Probe } from './probe.ts';

/** The outcome of a check. */
export interface Outcome {
  name: string;
  outcome: 'holds' | 'fails' | 'left_out';
  /** The reason, if it failed. */
  message?: string;
}

/** The checks of a group with their outcomes. */
export interface GroupOutcome {
  key: GroupKey;
  title: string;
  checks: readonly Outcome[];
}

/** Runs the checks one after the other, and cleans up after each. Stops between two checks on the signal. */
export async function runChecks(
  probe: Probe,
  groups: readonly CheckGroup[],
  { signal, onGroup }: { signal: AbortSignal; onGroup(outcome: GroupOutcome): void },
): Promise<GroupOutcome[]> {
  const outcomes: GroupOutcome[] = [];
  for (const { key, title, checks } of groups) {
    const done: Outcome[] = [];
    for (const { name, run } of checks) {
      if (signal.aborted) {
        return outcomes;
      }
      done.push({ name, ...(await judge(probe, run)) });
    }
    const group = { key, title, checks: done };
    outcomes.push(group);
    onGroup(group);
  }
  return outcomes;
}

type Judgement = Omit<Outcome, 'name'>;

async function judge(probe: Probe, run: (probe: Probe) => Promise<void>): Promise<Judgement> {
  const judgement = await attempt(() => run(probe));
  const cleared = await attempt(() => probe.clearAll());
  return cleared.outcome === 'holds' || judgement.outcome === 'fails' ? judgement : { ...cleared, outcome: 'fails' };
}

async function attempt(act: () => Promise<void>): Promise<Judgement> {
  try {
    await act();
    return { outcome: 'holds' };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { outcome: error instanceof LeftOut ? 'left_out' : 'fails', message };
  }
}
