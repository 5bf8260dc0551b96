/** One metric of a Prometheus text: its description, and its values by name and labels. */
interface Family {
  head: readonly string[];
  isCounted: boolean;
  values: Map<string, number>;
}

/**
 * Sums the counts of several processes, as Prometheus texts. Counts of a dead process stay in the sum: a decreasing
 * total would look like a restart to Prometheus.
 */
export class MetricsSum {
  readonly #latest = new Map<object, ReadonlyMap<string, Family>>();
  readonly #ended = new Map<string, Family>();

  /** Records the counts of a process so far. */
  note(process: object, text: string): void {
    this.#latest.set(process, readFamilies(text));
  }

  /** A process has ended: its counters are kept, its gauges are not. */
  end(process: object): void {
    for (const [name, family] of this.#latest.get(process) ?? []) {
      if (family.isCounted) {
        addTo(this.#ended, name, family);
      }
    }
    this.#latest.delete(process);
  }

  /** The sum, as a Prometheus text. */
  write(): string {
    const sum = new Map<string, Family>();
    for (const families of [this.#ended, ...this.#latest.values()]) {
      for (const [name, family] of families) {
        addTo(sum, name, family);
      }
    }
    return [...sum.values()]
      .flatMap(({ head, values }) => [...head, ...[...values].map(([key, value]) => `${key} ${value}`), ''])
      .join('\n');
  }
}

function addTo(sum: Map<string, Family>, name: string, { head, isCounted, values }: Family): void {
  const family = sum.get(name) ?? { head, isCounted, values: new Map<string, number>() };
  for (const [key, value] of values) {
    family.values.set(key, (family.values.get(key) ?? 0) + value);
  }
  sum.set(name, family);
}

function readFamilies(text: string): Map<string, Family> {
  const families = new Map<string, Family>();
  for (const block of text.split(/^(?=# HELP )/m)) {
    const lines = block.split('\n').filter((line) => line !== '');
    const head = lines.filter((line) => line.startsWith('#'));
    const [, name, type] = /^# TYPE (\S+) (\S+)/m.exec(head.join('\n')) ?? [];
    if (name !== undefined) {
      const values = lines.filter((line) => !line.startsWith('#')).map(readSample);
      families.set(name, { head, isCounted: type !== 'gauge', values: new Map(values) });
    }
  }
  return families;
}

/** A label's value may contain spaces, but the number after the last one does not. */
function readSample(line: string): [string, number] {
  const end = line.lastIndexOf(' ');
  return [line.slice(0, end), Number(line.slice(end + 1))];
}

/** Gives each value the label `process`, for metrics of a single process, such as its memory. */
export function labelProcess(text: string, process: string): string {
  return text.replace(/^([a-zA-Z_:][\w:]*)(?:\{([^}]*)\})? /gm, (_, name: string, labels: string | undefined) =>
    labels === undefined ? `${name}{process="${process}"} ` : `${name}{${labels},process="${process}"} `,
  );
}
