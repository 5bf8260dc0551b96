import { readdir, readFile, readlink } from 'node:fs/promises';

/** What a process uses, as reported by Linux. */
export interface ProcessFacts {
  /** Resident memory now, and its peak, in MiB. */
  memoryMiB: number;
  peakMemoryMiB: number;
  sockets: number;
}

/** Reads what a process uses at this moment. */
export async function readProcess(pid: number): Promise<ProcessFacts> {
  const [status, names] = await Promise.all([readFile(`/proc/${pid}/status`, 'utf8'), readdir(`/proc/${pid}/fd`)]);
  const links = await Promise.all(names.map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => '')));
  const inMiB = (name: string) => Math.round(Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]) / 1_024);
  return {
    memoryMiB: inMiB('VmRSS'),
    peakMemoryMiB: inMiB('VmHWM'),
    sockets: links.filter((link) => link.startsWith('socket:')).length,
  };
}
