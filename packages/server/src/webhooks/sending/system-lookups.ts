/** Every address that the system knows of a name; empty when it knows none. */
export type AskSystem = (hostname: string) => Promise<string[]>;

/** A question to the system that waits or runs, and how many want its answer. */
interface Lookup extends PromiseWithResolvers<string[]> {
  hostname: string;
  askers: number;
}

/** The names of one zone: those that wait, and whether one is asked about just now. */
interface Zone {
  readonly waiting: Map<string, Lookup>;
  running: Lookup | undefined;
}

/**
 * Asks the system about names. Its look-up cannot be cancelled and holds a thread until it ends, which a zone that
 * answers late makes long: so there are two at most, the zones take turns, and none has both. A caller who waits too
 * long gets no answer; no other caller is affected.
 */
export class SystemLookups {
  readonly #ask: AskSystem;
  /** The zone that comes next is the first that nothing is asked about at the moment. */
  readonly #zones = new Map<string, Zone>();
  /** Names that the system did not know, and when it said so. */
  readonly #unknown = new Map<string, number>();
  #running = 0;

  constructor(ask: AskSystem) {
    this.#ask = ask;
  }

  /** The addresses of a name, or what the budget says when it is over before. */
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

  /** A running look-up of the name is joined, even if the caller who began it has given up. */
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

  /** Behind all the others: they have their turns before it has another. Without names it is forgotten. */
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

/** How long a name is taken for unknown without another question. */
const UNKNOWN_MS = 5_000;

const MAX_UNKNOWN = 1_000;

/** Names that end alike are mostly answered for by the same servers, so they wait for each other and for no others. */
function zoneName(hostname: string): string {
  return hostname.toLowerCase().split('.').slice(-2).join('.');
}
