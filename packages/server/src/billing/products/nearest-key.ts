/** The known name that needs the fewest edits, or undefined if even that one would be mostly edited. */
export function nearestOf(wanted: string, known: readonly string[]): string | undefined {
  const ranked = known
    .map((name) => ({ name, edits: countEdits(wanted.toLowerCase(), name.toLowerCase()) }))
    .sort((one, other) => one.edits - other.edits);
  const [nearest] = ranked;
  return nearest !== undefined && nearest.edits <= Math.max(wanted.length, nearest.name.length) / 2
    ? nearest.name
    : undefined;
}

/** How many characters must be inserted, removed, replaced or swapped with the next to turn one text into the other. */
function countEdits(one: string, other: string): number {
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (const [line, character] of [...one].entries()) {
    const next = [line + 1];
    for (let column = 1; column <= other.length; column += 1) {
      const replaced = (row[column - 1] ?? 0) + (other[column - 1] === character ? 0 : 1);
      const isSwapped = other[column - 2] === character && other[column - 1] === one[line - 1];
      const swapped = isSwapped ? (before[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY;
      next.push(Math.min(replaced, swapped, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    [before, row] = [row, next];
  }
  return row.at(-1) ?? 0;
}
