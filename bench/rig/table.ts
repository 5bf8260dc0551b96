import type { Figure } from './figure.ts';

/** The figures as a table of text, with their notes below. */
export function describeFigures(figures: readonly Figure[]): string {
  const rows = [HEAD, ...figures.map(rowOf)];
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const notes = figures.flatMap(({ name, notes }) => notes.map((note) => `${name}: ${note}`));
  return [...lines, '', ...new Set(notes)].join('\n');
}

const HEAD = ['figure', 'ours', 'limit', 'ratio', '(rounds)', 'bar', '', 'the limit is'];

function rowOf(figure: Figure): string[] {
  const { ratio, bar } = figure;
  return [
    figure.name,
    `${amount(figure.ours)} ${figure.unit}`,
    amount(figure.limit),
    ratio.median.toFixed(2),
    `${ratio.lowest.toFixed(2)}–${ratio.highest.toFixed(2)}`,
    bar === undefined ? '' : `${figure.isAtMost === true ? '≤' : '≥'} ${bar.toFixed(2)}`,
    bar === undefined ? '' : isMet(figure, bar) ? 'met' : 'MISSED',
    figure.limitIs,
  ];
}

/** Whether a figure keeps its promise. */
export function isMet({ ratio, isAtMost }: Figure, bar: number): boolean {
  return isAtMost === true ? ratio.median <= bar : ratio.median >= bar;
}

function amount(value: number): string {
  return value < 100 ? value.toFixed(1) : Math.round(value).toLocaleString('en-US');
}
