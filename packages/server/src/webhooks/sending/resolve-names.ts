import { lookup, Resolver } from 'node:dns/promises';
import { setTimeout } from 'node:timers/promises';
import { type AskSystem, SystemLookups } from './system-lookups.ts';

/** Every address of a name, IPv4 first; rejects if there is none, or none was found within the budget. */
export type Resolve = (hostname: string, budgetMs: number) => Promise<readonly string[]>;

/**
 * A resolver based on c-ares, which queries the name servers itself: the system's look-up blocks one of the four
 * threads that also sign and hash, so a few slow zones could stop the service. The system is only queried if c-ares
 * finds nothing, for names in the hosts file, and for two names at a time. Without its own name servers, it uses the
 * system's.
 */
export function createResolver(nameServers?: readonly string[], ask: AskSystem = askSystem): Resolve {
  const servers = new NameServers(nameServers);
  const system = new SystemLookups(ask);
  return cacheBriefly(async (hostname, budgetMs) => {
    const over = new AbortController();
    const budget = setTimeout(budgetMs, undefined, { signal: over.signal, ref: false }).then(() => []);
    budget.catch(() => undefined);
    try {
      const found = await servers.ask(hostname, budget);
      return found === 'unknown' ? await system.find(hostname, budget) : found;
    } finally {
      over.abort();
    }
  });
}

/** How long an answer is cached, so that a burst of deliveries to one endpoint queries once. */
const REMEMBERED_MS = 5_000;

/** The maximum number of cached names. */
const REMEMBERED_NAMES = 1_000;

/** Shares a running look-up, and its answer for a few seconds. A failed look-up is repeated. */
export function cacheBriefly(resolve: Resolve): Resolve {
  const known = new Map<string, { answer: Promise<readonly string[]>; askedAtMs: number }>();
  return (hostname, budgetMs) => {
    const found = known.get(hostname);
    if (found !== undefined && performance.now() - found.askedAtMs < REMEMBERED_MS) {
      return found.answer;
    }
    const entry = { answer: resolve(hostname, budgetMs), askedAtMs: performance.now() };
    known.delete(hostname);
    known.set(hostname, entry);
    const forget = () => {
      if (known.get(hostname) === entry) {
        known.delete(hostname);
      }
    };
    entry.answer.then((addresses) => addresses.length === 0 && forget(), forget);
    const [oldest] = known.keys();
    if (known.size > REMEMBERED_NAMES && oldest !== undefined) {
      known.delete(oldest);
    }
    return entry.answer;
  };
}

/** The codes of c-ares if the name is not in the DNS, or there is no DNS; failures have other codes. */
const UNKNOWN = new Set(['ENOTFOUND', 'ENODATA', 'ENONAME', 'EREFUSED', 'ECONNREFUSED']);

/** How long the IPv4 addresses wait for those of IPv6: some name servers never answer those queries. */
const IPV6_GRACE_MS = 300;

class NameServers {
  readonly #given: readonly string[] | undefined;
  #resolver: Resolver | undefined;

  constructor(given: readonly string[] | undefined) {
    this.#given = given;
  }

  /** The addresses found within the budget, or `unknown` if the name servers do not know the name. */
  async ask(hostname: string, budget: Promise<string[]>): Promise<string[] | 'unknown'> {
    this.#resolver ??= this.#open();
    const resolver = this.#resolver;
    const failures: unknown[] = [];
    const note = (error: unknown): string[] => {
      failures.push(codeOf(error));
      return [];
    };
    const asked4 = resolver.resolve4(hostname);
    const asked6 = resolver.resolve6(hostname);
    // Late answers are not dialed, so the guard cannot be bypassed by a late answer.
    const grace = asked4.then(
      () => setTimeout(IPV6_GRACE_MS, [], { ref: false }),
      () => budget,
    );
    const [ipv4, ipv6] = await Promise.all([
      Promise.race([asked4, budget]).catch(note),
      Promise.race([asked6, grace, budget]).catch(note),
    ]);
    const found = [...ipv4, ...ipv6];
    if (found.length === 0 && this.#resolver === resolver) {
      // Its name servers were read at its creation; a machine that moved to another network has others by now.
      this.#resolver = undefined;
    }
    const isUnknown = failures.length === 2 && failures.every((code) => UNKNOWN.has(String(code)));
    return found.length === 0 && isUnknown ? 'unknown' : found;
  }

  #open(): Resolver {
    const resolver = new Resolver({ timeout: 1_000, tries: 2 });
    if (this.#given !== undefined) {
      resolver.setServers(this.#given);
    }
    return resolver;
  }
}

async function askSystem(hostname: string): Promise<string[]> {
  const found = await lookup(hostname, { all: true, order: 'ipv4first' }).catch(() => []);
  return found.map((each) => each.address);
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
