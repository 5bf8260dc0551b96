import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** Milliseconds of processor time that a process and all its threads have used; NaN where /proc does not tell (not Linux). */
export function processorMs(pid: number): number {
  const [user, system] = readTimes(pid);
  return (user + system) * TICK_MS;
}

/** The same of a process with its children, those that have ended included: of PostgreSQL as a whole. */
export function processorMsWithChildren(pid: number): number {
  const own = readTimes(pid);
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && parentOf(Number(name)) === pid);
  const ticks = own.reduce((sum, time) => sum + time, 0);
  // Of a child that has just ended, the parent tells the next time.
  const spent = children.map((child) => processorMs(Number(child))).filter((ms) => !Number.isNaN(ms));
  return spent.reduce((sum, ms) => sum + ms, ticks * TICK_MS);
}

/** User and system time in ticks, then the same of the children that have ended. */
function readTimes(pid: number): [number, number, number, number] {
  const fields = readFields(pid);
  return [Number(fields[11]), Number(fields[12]), Number(fields[13]), Number(fields[14])];
}

function parentOf(pid: number): number {
  return Number(readFields(pid)[1]);
}

/** What /proc says about a process, from the third field on: the second is the name in parentheses, which may hold spaces. */
function readFields(pid: number): string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
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
