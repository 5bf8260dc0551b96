/**
 * Merges Prometheus texts whose metrics have the same names and differ in their labels: each metric may have only one
 * description, right before all of its values.
 */
export function mergeMetrics(texts: readonly string[]): string {
  const families = new Map<string, { head: string[]; values: string[] }>();
  for (const block of texts.flatMap((text) => text.split(/^(?=# HELP )/m))) {
    const lines = block.split('\n').filter((line) => line !== '');
    const name = /^# HELP (\S+)/.exec(lines[0] ?? '')?.[1];
    if (name === undefined) {
      continue;
    }
    const head = lines.filter((line) => line.startsWith('#'));
    const family = families.get(name) ?? { head, values: [] };
    family.values.push(...lines.filter((line) => !line.startsWith('#')));
    families.set(name, family);
  }
  return [...families.values()].flatMap(({ head, values }) => [...head, ...values, '']).join('\n');
}
