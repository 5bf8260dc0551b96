import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Part } from './soak/parts.ts';
import type { Portion } from './soak/plan-portion.ts';
import { loadProgress } from './soak/progress.ts';
import { describeProgress } from './soak/report.ts';
import type { Outcome } from './soak/run-portion.ts';
import { soak } from './soak/soak.ts';

const part = (name: string, target: number, portion: number): Part => ({
  name,
  promise: `${name} hold`,
  unit: name,
  target,
  portion,
  files: [`${name}.test.ts`],
  isSeeded: true,
});
const PARTS = [part('apples', 25, 10), part('pears', 100, 50)];

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'seathold-soak-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** Runs a soak on the progress stored in the folder. */
async function run(outcomeOf: (portion: Portion) => Outcome | Promise<Outcome>, signal?: AbortSignal) {
  const portions: Portion[] = [];
  const progress = await loadProgress(folder, 7);
  await soak(
    {
      parts: PARTS,
      folder,
      hours: 1,
      signal: signal ?? new AbortController().signal,
      run: async (portion) => {
        portions.push(portion);
        return outcomeOf(portion);
      },
      say: () => undefined,
    },
    progress,
  );
  return { portions, progress };
}

const sizesOf = (portions: readonly Portion[], name: string) =>
  portions.filter((each) => each.part.name === name).map(({ size }) => size);

describe('a soak', () => {
  it('runs every part until its target is reached, in portions with their own seeds', async () => {
    const { portions, progress } = await run(() => 'passed');
    expect(sizesOf(portions, 'apples')).toEqual([10, 10, 5]);
    expect(sizesOf(portions, 'pears')).toEqual([50, 50]);
    expect(new Set(portions.map(({ seed }) => seed)).size).toBe(5);
    expect(progress.parts.apples).toMatchObject({ done: 25, begun: 3, findings: [] });
  });

  it('resumes where the last one stopped, and repeats the interrupted portion', async () => {
    const stopping = new AbortController();
    const first = await run(({ part: { name } }) => {
      if (name === 'pears') {
        stopping.abort();
        return 'stopped';
      }
      return 'passed';
    }, stopping.signal);
    const second = await run(() => 'passed');
    expect(sizesOf([...first.portions.slice(0, -1), ...second.portions], 'apples')).toEqual([10, 10, 5]);
    expect(second.progress.parts.pears).toMatchObject({ done: 100, begun: 2 });
    const stopped = first.portions.at(-1);
    expect(second.portions.find((each) => each.part.name === 'pears')?.seed).toBe(stopped?.seed);
    expect((await run(() => 'passed')).portions).toEqual([]);
  });

  it('does not count a failed portion, keeps its seed, tries others, and gives up on a part that keeps failing', async () => {
    const once = await run(({ part: { name }, seed }) => (name === 'apples' && seed % 2 === 0 ? 'failed' : 'passed'));
    const failed = once.portions.filter((each) => each.part.name === 'apples' && each.seed % 2 === 0);
    expect(once.progress.parts.apples?.findings.map(({ seed }) => seed)).toEqual(failed.map(({ seed }) => seed));
    await rm(folder, { recursive: true });
    const always = await run(({ part: { name } }) => (name === 'apples' ? 'failed' : 'passed'));
    expect(sizesOf(always.portions, 'apples')).toEqual([10, 10, 10]);
    expect(always.progress.parts.apples).toMatchObject({ done: 0, begun: 3 });
    expect(always.progress.parts.pears).toMatchObject({ done: 100, findings: [] });
    const told = describeProgress(PARTS, always.progress);
    for (const { seed } of always.progress.parts.apples?.findings ?? []) {
      expect(told).toContain(`SEATHOLD_SOAK_PORTION=10 SEATHOLD_SOAK_SEED=${seed} npx vitest run apples.test.ts`);
    }
  });

  it('starts no portion that is not expected to end in time', async () => {
    const progress = await loadProgress(folder, 7);
    progress.parts.pears = { done: 50, begun: 1, seconds: 7_200, findings: [] };
    const names: string[] = [];
    const give = async ({ part: { name } }: Portion): Promise<Outcome> => {
      names.push(name);
      return 'passed';
    };
    const signal = new AbortController().signal;
    await soak({ parts: PARTS, folder, hours: 1, signal, run: give, say: () => undefined }, progress);
    expect(names).toEqual(['apples', 'apples', 'apples']);
  });
});
