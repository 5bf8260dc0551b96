import type { Line } from './settle-lines.ts';

/** The line of one license while a batch of requests is decided. */
export interface LineOfBatch {
  waiting: number;
  /** The waits of the machines in the batch, by user and machine. */
  waits: Map<string, WaitInLine>;
  /** The ranks of the machines that got a seat in this batch. */
  readonly left: number[];
}

/** A waiting machine. */
export interface WaitInLine {
  id: string;
  /** Its position before the batch, from 1. */
  rank: number;
  isReserved: boolean;
  /** In service time. */
  deadlineMs: number;
}

export function lineOfBatch(line: Line | undefined): LineOfBatch {
  const waits = [...(line?.waits ?? [])].map(([machine, row]): [string, WaitInLine] => {
    const { id, rank, is_reserved: isReserved, deadline_ms: deadlineMs } = row;
    return [machine, { id, rank, isReserved, deadlineMs }];
  });
  return { waiting: line?.waiting ?? 0, waits: new Map(waits), left: [] };
}

/** Adds a machine to the end of the line. Returns undefined if the line is full. */
export function joinLine(line: LineOfBatch, machine: string, id: string, deadlineMs: number): WaitInLine | undefined {
  if (line.waiting >= MOST_WAITING) {
    return undefined;
  }
  const wait = { id, rank: line.waiting + line.left.length + 1, isReserved: false, deadlineMs };
  line.waiting += 1;
  line.waits.set(machine, wait);
  return wait;
}

/** Removes a machine that got its seat from the line. */
export function leaveLine(line: LineOfBatch, machine: string): void {
  const wait = line.waits.get(machine);
  if (wait !== undefined) {
    line.waits.delete(machine);
    line.left.push(wait.rank);
    line.waiting -= 1;
  }
}

/** How many machines are in line up to and including this one. */
export function positionOf({ left }: LineOfBatch, { rank }: WaitInLine): number {
  return rank - left.filter((each) => each < rank).length;
}

/** Machines in the line of one license. */
const MOST_WAITING = 2_000;
