import { execFileSync } from 'node:child_process';
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

/** The same of a service, whose requests may be answered by processes that it started. PostgreSQL is not counted. */
export function serviceProcessorMs(pid: number): number {
  return [pid, ...listRequestProcesses(pid)].reduce((sum, each) => sum + processorMs(each), 0);
}

/** The request processes of a service; none where one process does everything. */
function listRequestProcesses(pid: number): number[] {
  const listed = execFileSync('ps', ['-A', '-o', 'ppid=,pid=,args='], { encoding: 'utf8' });
  return listed.split('\n').flatMap((line) => {
    const [parent, child, ...command] = line.trim().split(/\s+/);
    return Number(parent) === pid && command.join(' ').startsWith('seathold request-') ? [Number(child)] : [];
  });
}

/** USER_HZ is 100 on every Linux that Node.js runs on. */
const TICK_MS = 10;
