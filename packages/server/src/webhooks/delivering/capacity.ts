import type { EndpointKey } from '../endpoint-state/endpoint-key.ts';
import type { LaneName } from '../endpoint-state/lanes.ts';
import { Lane } from './lane.ts';
import { Quotas } from './quotas.ts';

/** An attempt in flight, for capacity. */
export interface InFlight extends EndpointKey {
  id: string;
  destination: string;
}

type Target = Pick<InFlight, 'organization_id' | 'destination'>;

/**
 * How many attempts this process may have in flight: on each of two lanes, and within that for each organization, each
 * destination, and each organization at one destination. Many endpoints may share a destination, and must not all hit
 * it at the same time after an outage. No organization can use up a lane, even if many of its endpoints hang.
 */
export class Capacity {
  readonly #lanes = {
    fast: new Lane(512, { agedAfterMs: 2_000, maxAged: 512 }),
    slow: new Lane(2_048),
  };
  readonly #organizations = { fast: new Quotas(256), slow: new Quotas(512) };
  readonly #destinations = new Quotas(200);
  readonly #organizationsAtDestinations = new Quotas(100);

  /** How many more attempts may begin on a lane at this time. */
  available(lane: LaneName, nowMs: number): number {
    return this.#lanes[lane].available(nowMs);
  }

  /** How much one endpoint may have in flight on a lane: less as the lane fills. */
  maxPerEndpoint(lane: LaneName): number {
    const { load } = this.#lanes[lane];
    return load < 0.25 ? 64 : load < 0.5 ? 4 : 1;
  }

  fullDestinations(): string[] {
    return this.#destinations.full();
  }

  fullOrganizations(lane: LaneName): string[] {
    return this.#organizations[lane].full();
  }

  /**
   * Divides the capacity left by the quotas among the endpoints of one claim. The returned function returns how many of
   * the requested attempts an endpoint may begin, and counts them against later calls.
   */
  createAllotter(lane: LaneName): (target: Target, wanted: number) => number {
    const allotted = new Map<string, number>();
    return (target, wanted) => {
      const quotas = this.#quotasOf(lane, target);
      const available = quotas.map(([quota, name]) => quota.available(name) - (allotted.get(name) ?? 0));
      const count = Math.max(0, Math.min(wanted, ...available));
      for (const [, name] of quotas) {
        allotted.set(name, (allotted.get(name) ?? 0) + count);
      }
      return count;
    };
  }

  /** Whether one more attempt may begin on a lane. */
  hasFor(lane: LaneName, target: Target, nowMs: number): boolean {
    return (
      this.available(lane, nowMs) > 0 &&
      this.#quotasOf(lane, target).every(([quota, name]) => quota.available(name) > 0)
    );
  }

  begin(lane: LaneName, attempt: InFlight, nowMs: number): void {
    this.#lanes[lane].begin(attempt.id, nowMs);
    for (const [quotas, name] of this.#quotasOf(lane, attempt)) {
      quotas.begin(name);
    }
  }

  end(lane: LaneName, attempt: InFlight): void {
    this.#lanes[lane].end(attempt.id);
    for (const [quotas, name] of this.#quotasOf(lane, attempt)) {
      quotas.end(name);
    }
  }

  #quotasOf(lane: LaneName, { organization_id: organization, destination }: Target): Array<[Quotas, string]> {
    return [
      [this.#organizations[lane], organization],
      [this.#destinations, destination],
      [this.#organizationsAtDestinations, `${organization} ${destination}`],
    ];
  }
}
