import type { Part } from './parts.ts';
import { MOST_FINDINGS } from './plan-portion.ts';
import { type Progress, progressOf } from './progress.ts';

/** What all soaks have done so far, as a table, and below it how to have each finding again. */
export function describeProgress(parts: readonly Part[], progress: Progress): string {
  const rows = parts.map((part) => {
    const { done, findings, seconds, begun } = progressOf(progress, part.name);
    return [
      part.name,
      part.promise,
      `${part.target.toLocaleString('en')} ${part.unit}`,
      done.toLocaleString('en'),
      `${begun} in ${Math.round(seconds)} s`,
      findings.length === 0 ? '-' : findings.map((each) => each.seed).join(' '),
    ];
  });
  const table = [['part', 'promise', 'target', 'done', 'portions', 'seeds of failures'], ...rows];
  const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? [];
  const lines = table.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return [...lines, ...parts.flatMap((part) => describeFindings(part, progress))].join('\n');
}

function describeFindings(part: Part, progress: Progress): string[] {
  const { findings } = progressOf(progress, part.name);
  const told = findings.flatMap(({ seed, portion, at, output }) => [
    '',
    `${part.name} failed at ${at}: ${output}`,
    ...(part.isSeeded ? [] : ['  (its processes race, so the seed identifies the run but does not reproduce it)']),
    `  SEATHOLD_SOAK=1 SEATHOLD_SOAK_PORTION=${portion} SEATHOLD_SOAK_SEED=${seed} npx vitest run ${part.files.join(' ')}`,
  ]);
  return findings.length < MOST_FINDINGS ? told : [...told, `  ${part.name} is skipped until --fresh.`];
}
