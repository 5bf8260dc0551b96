import { readFileSync } from 'node:fs';

/** Milliseconds of processor time that a process and all its threads have used; NaN where /proc does not tell (not Linux). */
export function processorMs(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The second field is the name in parentheses and may hold spaces; utime and stime are the 14th and 15th.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  } catch {
    return Number.NaN;
  }
}

/** USER_HZ is 100 on every Linux that Node.js runs on. */
const TICK_MS = 10;
