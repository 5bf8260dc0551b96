import { execFileSync } from 'node:child_process';

/** From util-linux; Linux only. */
const TASKSET = 'taskset';

/** The cores that keep the measured process and its load apart; undefined where they cannot be (no taskset, one core). */
const CORES = chooseCores();

/** Which side of the measurement a process is on. */
export type Side = 'contender' | 'generator';

/** A sentence for the report. */
export function describePinning(): string {
  return CORES === undefined
    ? 'nothing is pinned: taskset is missing or there is only one core, so the load competes with what it measures'
    : `contenders on core ${CORES.contender}, load on core ${CORES.generator}, PostgreSQL on any`;
}

/** The command that runs this command on its side's core. */
export function pinned(side: Side, command: string, args: readonly string[]): [string, string[]] {
  return CORES === undefined ? [command, [...args]] : [TASKSET, ['-c', String(CORES[side]), command, ...args]];
}

/**
 * Moves all threads of a running process to its side's core. The service is moved only once it has started: PostgreSQL,
 * its child, would otherwise inherit the one core.
 */
export function pinRunning(side: Side, pid: number): void {
  if (CORES !== undefined) {
    execFileSync(TASKSET, ['-a', '-c', '-p', String(CORES[side]), String(pid)], { stdio: 'ignore' });
  }
}

function chooseCores(): Readonly<Record<Side, number>> | undefined {
  try {
    const answer = execFileSync(TASKSET, ['-c', '-p', String(process.pid)], { encoding: 'utf8' });
    const cores = parseCores(answer.slice(answer.lastIndexOf(':') + 1).trim());
    const [contender] = cores;
    const generator = cores.at(-1);
    return contender === undefined || generator === undefined || contender === generator
      ? undefined
      : { contender, generator };
  } catch {
    return undefined;
  }
}

/** `0-2,5` is 0, 1, 2 and 5. */
function parseCores(list: string): number[] {
  return list.split(',').flatMap((range) => {
    const [first = Number.NaN, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, step) => first + step);
  });
}
