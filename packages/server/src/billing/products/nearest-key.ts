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

/** How many characters must be inserted, removed or replaced to make one text of the other (Levenshtein). */
function countEdits(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (const [line, character] of [...one].entries()) {
    const next = [line + 1];
    for (let column = 1; column <= other.length; column += 1) {
      const replaced = (row[column - 1] ?? 0) + (other[column - 1] === character ? 0 : 1);
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
