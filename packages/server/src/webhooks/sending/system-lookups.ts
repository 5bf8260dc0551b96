/** Every address that the system knows for a name; empty if it knows none. */
export type AskSystem = (hostname: string) => Promise<string[]>;

/** A waiting or running query to the system, and how many callers wait for it. */
interface Lookup extends PromiseWithResolvers<string[]> {
  hostname: string;
  askers: number;
}

/** The names of one zone: the waiting ones, and whether one is being looked up. */
interface Zone {
  readonly waiting: Map<string, Lookup>;
  running: Lookup | undefined;
}

/**
 * Looks names up by the system. Its look-up cannot be canceled and occupies a thread until it ends, which a slow zone
 * can delay. So there are at most two, the zones take turns, and none has both. A caller who waits too long gets no
 * answer; no other caller is affected.
 */
export class SystemLookups {
  readonly #ask: AskSystem;
  /** The next zone is the first one without a running look-up. */
  readonly #zones = new Map<string, Zone>();
  /** Names that the system did not know, and when. */
  readonly #unknown = new Map<string, number>();
  #running = 0;

  constructor(ask: AskSystem) {
    this.#ask = ask;
  }

  /** The addresses of a name, or the budget's error if it ends first. */
  async find(hostname: string, budget: Promise<string[]>): Promise<string[]> {
    if (this.#isUnknown(hostname)) {
      return [];
    }
    const lookup = this.#join(hostname);
    lookup.askers += 1;
    this.#startNext();
    try {
      return await Promise.race([lookup.promise, budget]);
    } finally {
      lookup.askers -= 1;
      this.#dropUnwanted(lookup);
    }
  }

  /** Joins a running look-up of the name, even if the caller who began it has given up. */
  #join(hostname: string): Lookup {
    const zone = this.#zoneOf(hostname);
    if (zone.running?.hostname === hostname) {
      return zone.running;
    }
    const lookup = zone.waiting.get(hostname) ?? { ...Promise.withResolvers<string[]>(), hostname, askers: 0 };
    zone.waiting.set(hostname, lookup);
    return lookup;
  }

  #zoneOf(hostname: string): Zone {
    const name = zoneName(hostname);
    const zone = this.#zones.get(name) ?? { waiting: new Map(), running: undefined };
    this.#zones.set(name, zone);
    return zone;
  }

  #startNext(): void {
    for (const zone of this.#zones.values()) {
      if (this.#running >= MAX_LOOKUPS) {
        return;
      }
      const [lookup] = zone.waiting.values();
      if (zone.running === undefined && lookup !== undefined) {
        zone.waiting.delete(lookup.hostname);
        zone.running = lookup;
        this.#running += 1;
        void this.#run(lookup, zone);
      }
    }
  }

  async #run(lookup: Lookup, zone: Zone): Promise<void> {
    const found = await this.#ask(lookup.hostname).catch(() => []);
    if (found.length === 0) {
      this.#noteUnknown(lookup.hostname);
    }
    lookup.resolve(found);
    zone.running = undefined;
    this.#running -= 1;
    this.#putLast(lookup.hostname, zone);
    this.#startNext();
  }

  /** Drops a waiting look-up that no caller wants any more. */
  #dropUnwanted(lookup: Lookup): void {
    const zone = this.#zones.get(zoneName(lookup.hostname));
    if (lookup.askers === 0 && zone?.waiting.get(lookup.hostname) === lookup) {
      zone.waiting.delete(lookup.hostname);
      if (zone.waiting.size === 0 && zone.running === undefined) {
        this.#zones.delete(zoneName(lookup.hostname));
      }
    }
  }

  /** Moves it behind all others, so that they have their turns first. Without names it is removed. */
  #putLast(hostname: string, zone: Zone): void {
    const name = zoneName(hostname);
    this.#zones.delete(name);
    if (zone.waiting.size > 0) {
      this.#zones.set(name, zone);
    }
  }

  #isUnknown(hostname: string): boolean {
    const sinceMs = this.#unknown.get(hostname);
    return sinceMs !== undefined && performance.now() - sinceMs < UNKNOWN_MS;
  }

  #noteUnknown(hostname: string): void {
    this.#unknown.delete(hostname);
    this.#unknown.set(hostname, performance.now());
    const [oldest] = this.#unknown.keys();
    if (this.#unknown.size > MAX_UNKNOWN && oldest !== undefined) {
      this.#unknown.delete(oldest);
    }
  }
}

const MAX_LOOKUPS = 2;

/** How long a name counts as unknown without another query. */
const UNKNOWN_MS = 5_000;

const MAX_UNKNOWN = 1_000;

/** Names with the same ending mostly have the same servers, so they only wait for each other. */
function zoneName(hostname: string): string {
  return hostname.toLowerCase().split('.').slice(-2).join('.');
}
