import { findLosses } from './find-losses.ts';
import { findOvertaking, findUnfinishedPlaces } from './find-overtaking.ts';
import { listPlaces, type Place } from './places.ts';
import type { Action, Evidence, Line } from './records.ts';
import { countRunning, listRuns, type Run } from './runs.ts';

/** What the judge must know to tell a defect of the keepers or the service from what was done to them. */
export interface Rules {
  readonly seats: number;
  /** A session that is silent for this long is over. */
  readonly timeoutMs: number;
  /** How old the last heartbeat may be when a program falls asleep, network faults included. */
  readonly quietMs: number;
  /** How soon a program that wakes up, and has a network, must have learned that its seat is gone. */
  readonly graceMs: number;
  /** From this time on nothing was wrong, and each program had to get a turn. */
  readonly calmFrom: number;
}

export interface Verdict {
  /** Promises that were broken. */
  readonly broken: readonly string[];
  readonly mostRunning: number;
  /** How often a program got a seat. */
  readonly turns: number;
  /** Of those, after a wait in line. */
  readonly turnsInLine: number;
  readonly longestWaitMs: number;
}

/**
 * Judges a trial by what the programs wrote, and by nothing that the service reports.
 *
 * A program is running from `granted` until `lost`, until it stops its work to release the seat, or until its process
 * ends: in the words of docs/reference/seat-keeper.md, while its state is held or offline. While a laptop sleeps, its
 * program does nothing and cannot learn that its seat timed out. So after a sleep of at least the time-out, it counts
 * again once its keeper has told it whether it has a seat, or after a grace period.
 */
export function judge(given: Evidence, rules: Rules): Verdict {
  const lines = [...given.lines].sort((one, other) => one.at - other.at);
  const actions = [...given.actions].sort((one, other) => one.at - other.at);
  const evidence: Evidence = { lines, actions, faults: given.faults };
  const runs = listRuns(evidence, rules);
  const places = listPlaces(evidence);
  const { most, moments } = countRunning(runs, rules.seats);
  const inLine = places.filter(({ end, knownAt }) => end === 'granted' && knownAt !== undefined);
  return {
    broken: [
      ...moments,
      ...findOvertaking(places, runs, rules.seats),
      ...findUnfinishedPlaces(places, evidence),
      ...findLosses(evidence, rules),
      ...findWithoutTurn(runs, actions, lines, rules.calmFrom),
    ],
    mostRunning: most,
    turns: places.filter(({ end }) => end === 'granted').length,
    turnsInLine: inLine.length,
    longestWaitMs: Math.max(0, ...inLine.map(waitOf)),
  };
}

function waitOf({ askedAt, endedAt }: Place): number {
  return endedAt - askedAt;
}

/** Programs that were still alive in the calm, but got no seat in it. */
function findWithoutTurn(
  runs: readonly Run[],
  actions: readonly Action[],
  lines: readonly Line[],
  calmFrom: number,
): string[] {
  const served = new Set(runs.filter(({ to }) => to > calmFrom).map(({ program }) => program));
  const programs = new Set(lines.map(({ program }) => program));
  return [...programs]
    .filter((program) => !served.has(program) && !hasEnded(program, actions, calmFrom))
    .map((program) => `${program} got no turn although nothing was wrong any more`);
}

/** Whether the program was ended before, and not restarted. */
function hasEnded(program: string, actions: readonly Action[], before: number): boolean {
  const last = actions.findLast(
    ({ at, ...action }) => action.program === program && at <= before && LIVES.has(action.event),
  );
  return last !== undefined && last.event !== 'started';
}

const LIVES: ReadonlySet<string> = new Set(['started', 'killed', 'told_to_end']);
