/** Prints the result of a command: one JSON document with --json, otherwise lines for people. */
export function print(asJson: boolean, value: unknown, lines: readonly string[]): void {
  process.stdout.write(asJson ? `${JSON.stringify(value, undefined, 2)}\n` : `${lines.join('\n')}\n`);
}

/** Names and values in two columns. */
export function columns(rows: ReadonlyArray<readonly [string, string]>): string[] {
  const width = Math.max(0, ...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`);
}
