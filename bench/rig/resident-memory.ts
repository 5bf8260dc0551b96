import { execFileSync } from 'node:child_process';

/** What a process holds in memory. */
export function residentMegabytes(pid: number): number {
  const kilobytes = Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }));
  return Math.round(kilobytes / 1024);
}
