import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A portion that did not pass. */
export interface Finding {
  seed: number;
  /** How much of the part was asked for. */
  portion: number;
  at: string;
  /** What the tests printed, as a file in the folder of the soak. */
  output: string;
}

export interface PartProgress {
  /** How much of the target has passed. */
  done: number;
  /** Portions that were begun, with any outcome; the next one has the next seed. */
  begun: number;
  seconds: number;
  findings: Finding[];
}

/** The progress of all soaks in this folder since the last --fresh. */
export interface Progress {
  /** Where the seeds of all portions come from. */
  seed: number;
  parts: Record<string, PartProgress>;
}

const FILE = 'progress.json';

/** Reads how far the soaks in this folder have come; where there is nothing, they begin with this seed. */
export async function loadProgress(folder: string, freshSeed: number): Promise<Progress> {
  const text = await readFile(join(folder, FILE), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') {
      return undefined;
    }
    throw error;
  });
  return text === undefined ? { seed: freshSeed, parts: {} } : JSON.parse(text);
}

/** Replaces the file in one step, so that a soak that is killed leaves the old one or the new one. */
export async function saveProgress(folder: string, progress: Progress): Promise<void> {
  await mkdir(folder, { recursive: true });
  const unfinished = join(folder, `${FILE}.${process.pid}`);
  await writeFile(unfinished, `${JSON.stringify(progress, undefined, 2)}\n`);
  await rename(unfinished, join(folder, FILE));
}

/** Forgets everything, the findings too. */
export async function forgetProgress(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}

export function progressOf(progress: Progress, name: string): PartProgress {
  const known = progress.parts[name] ?? { done: 0, begun: 0, seconds: 0, findings: [] };
  progress.parts[name] = known;
  return known;
}
