import { join } from 'node:path';
import type { Part } from './parts.ts';
import { type Portion, planPortion } from './plan-portion.ts';
import { type Progress, progressOf, saveProgress } from './progress.ts';
import type { Outcome } from './run-portion.ts';

export interface Soak {
  parts: readonly Part[];
  folder: string;
  hours: number;
  /** Ends the run; what has passed stays. */
  signal: AbortSignal;
  run(portion: Portion, outputPath: string, signal: AbortSignal): Promise<Outcome>;
  say(line: string): void;
}

/** Works portion by portion until everything is done, the time is over or the signal comes, and notes each at once. */
export async function soak(given: Soak, progress: Progress): Promise<void> {
  const { parts, folder, hours, signal, run, say } = given;
  const endsAt = performance.now() + hours * 3_600_000;
  const spent = new Map<string, number>();
  while (!signal.aborted) {
    const secondsLeft = (endsAt - performance.now()) / 1000;
    const portion = secondsLeft <= 0 ? undefined : planPortion(parts, progress, { secondsLeft, spent });
    if (portion === undefined) {
      return;
    }
    const { part, size, seed } = portion;
    const output = join(folder, 'output', `${part.name}-${seed}.txt`);
    const beganAt = performance.now();
    const outcome = await run(portion, output, signal);
    const seconds = (performance.now() - beganAt) / 1000;
    spent.set(part.name, (spent.get(part.name) ?? 0) + seconds);
    say(
      `${part.name}: ${size.toLocaleString('en')} ${part.unit}, seed ${seed}: ${outcome} after ${seconds.toFixed(0)} s`,
    );
    if (outcome === 'stopped') {
      return;
    }
    const known = progressOf(progress, part.name);
    known.begun += 1;
    known.seconds += seconds;
    if (outcome === 'passed') {
      known.done += size;
    } else {
      known.findings.push({ seed, portion: size, at: new Date().toISOString(), output });
    }
    await saveProgress(folder, progress);
  }
}
