/** Formats metadata as text, one pair per line. */
export function formatPairs(metadata: Readonly<Record<string, string>> | null): string {
  return Object.entries(metadata ?? {})
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}

/** Parses it: the name ends at the first colon, and a line without one is only a name. Null if it is empty. */
export function parsePairs(text: string): Record<string, string> | null {
  const pairs = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [name = '', ...rest] = line.split(':');
      return [name.trim(), rest.join(':').trim()] as const;
    });
  return pairs.length === 0 ? null : Object.fromEntries(pairs);
}
