/** An acquire that was refused. */
export interface RefusedAcquire {
  organizationId: string;
  licenseId: string;
  code: string;
  userId: string;
  hardwareId: string;
  /** On the organization's clock. */
  atMs: number;
  activeSeats: number;
  maxSeats: number;
}

/** Similar refused acquires of one minute. Without a machine, they are those of many. */
export interface RefusalCount {
  licenseId: string;
  code: string;
  machine: { userId: string; hardwareId: string } | undefined;
  minuteMs: number;
  count: number;
  firstAtMs: number;
  lastAtMs: number;
  /** At the time of the last one. */
  activeSeats: number;
  maxSeats: number;
}

/** A portion for one transaction. */
export interface RefusalPortion {
  organizationId: string;
  counts: readonly RefusalCount[];
}

/**
 * Counts refused acquires in memory until they are written, so that acquires do not wait for that. It is bounded: it
 * distinguishes a limited number of machines per license, code and minute, and has a total limit. Beyond that, machines
 * are not distinguished. If even that is too much, because the database is down and thousands of licenses refuse,
 * refusals are only counted in the metrics.
 */
export class RefusalLog {
  readonly #entries = new Map<string, Entry>();
  /** How many machines are distinguished, by license, code and minute. */
  readonly #machines = new Map<string, number>();
  /** Unwritten counts, by organization. */
  readonly #unwritten = new Map<string, Set<Entry>>();

  note(refused: RefusedAcquire, nowMs: number): void {
    const { organizationId, licenseId, code, userId, hardwareId, atMs, activeSeats, maxSeats } = refused;
    const count: RefusalCount = {
      licenseId,
      code,
      machine: { userId, hardwareId },
      minuteMs: Math.floor(atMs / MINUTE_MS) * MINUTE_MS,
      count: 1,
      firstAtMs: atMs,
      lastAtMs: atMs,
      activeSeats,
      maxSeats,
    };
    this.#add(organizationId, count, nowMs);
  }

  /** Takes at most `limit` counts of one organization; undefined if nothing waits to be written. */
  take(limit: number, nowMs: number): RefusalPortion | undefined {
    this.#forget(nowMs);
    const [first] = this.#unwritten;
    if (first === undefined) {
      return undefined;
    }
    const [organizationId, waiting] = first;
    const counts: RefusalCount[] = [];
    for (const entry of waiting) {
      if (counts.length >= limit) {
        break;
      }
      counts.push({ ...entry.unwritten });
      entry.unwritten.count = 0;
      waiting.delete(entry);
    }
    // The others first, so that an organization with many refusals does not delay them.
    this.#unwritten.delete(organizationId);
    if (waiting.size > 0) {
      this.#unwritten.set(organizationId, waiting);
    }
    return { organizationId, counts };
  }

  /** Takes back counts that could not be written. */
  giveBack({ organizationId, counts }: RefusalPortion, nowMs: number): void {
    for (const count of counts) {
      this.#add(organizationId, count, nowMs);
    }
  }

  #add(organizationId: string, count: RefusalCount, nowMs: number): void {
    const group = `${organizationId} ${count.licenseId} ${count.code} ${count.minuteMs}`;
    const { machine } = count;
    const own = machine === undefined ? group : `${group} ${machine.userId} ${machine.hardwareId}`;
    const entry = this.#entries.get(own) ?? this.#enter(organizationId, group, own, count, nowMs);
    if (entry === undefined) {
      return;
    }
    const { unwritten } = entry;
    const isFirst = unwritten.count === 0;
    unwritten.firstAtMs = isFirst ? count.firstAtMs : Math.min(unwritten.firstAtMs, count.firstAtMs);
    if (isFirst || count.lastAtMs >= unwritten.lastAtMs) {
      unwritten.lastAtMs = count.lastAtMs;
      unwritten.activeSeats = count.activeSeats;
      unwritten.maxSeats = count.maxSeats;
    }
    unwritten.count += count.count;
    const waiting = this.#unwritten.get(organizationId);
    if (waiting === undefined) {
      this.#unwritten.set(organizationId, new Set([entry]));
    } else {
      waiting.add(entry);
    }
  }

  /** A new entry for the machine, or the one for all machines beyond the bounds. */
  #enter(organizationId: string, group: string, own: string, count: RefusalCount, nowMs: number): Entry | undefined {
    const machines = this.#machines.get(group) ?? 0;
    if (own !== group && machines < MOST_MACHINES && this.#entries.size < MOST_ENTRIES) {
      this.#machines.set(group, machines + 1);
      return this.#insert(own, { organizationId, group, enteredAtMs: nowMs, unwritten: { ...count, count: 0 } });
    }
    const shared = this.#entries.get(group);
    if (shared !== undefined || this.#entries.size >= MOST_ENTRIES + MOST_SHARED) {
      return shared;
    }
    const unwritten = { ...count, machine: undefined, count: 0 };
    return this.#insert(group, { organizationId, group, enteredAtMs: nowMs, unwritten });
  }

  #insert(key: string, entry: Entry): Entry {
    this.#entries.set(key, entry);
    return entry;
  }

  /** Forgets entries of past minutes. The oldest come first. */
  #forget(nowMs: number): void {
    for (const [key, entry] of this.#entries) {
      if (nowMs - entry.enteredAtMs < KEPT_MS) {
        return;
      }
      if (entry.unwritten.count === 0) {
        this.#entries.delete(key);
        this.#forgetMachine(entry);
      }
    }
  }

  #forgetMachine({ group, unwritten }: Entry): void {
    const machines = (this.#machines.get(group) ?? 0) - (unwritten.machine === undefined ? 0 : 1);
    if (machines > 0) {
      this.#machines.set(group, machines);
    } else {
      this.#machines.delete(group);
    }
  }
}

interface Entry {
  organizationId: string;
  group: string;
  enteredAtMs: number;
  unwritten: RefusalCount;
}

export const MINUTE_MS = 60_000;
/** Machines of one license, code and minute. */
export const MOST_MACHINES = 1_000;
/** About 8 MB. */
export const MOST_ENTRIES = 20_000;
const MOST_SHARED = 10_000;
/** An entry is kept during its minute, so that the bound applies per minute and not per write. */
const KEPT_MS = MINUTE_MS;
