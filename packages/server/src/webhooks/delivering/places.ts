import type { EndpointKey } from './delivering.ts';
import { Lane } from './lane.ts';
import { Shares } from './shares.ts';

export type LaneName = 'swift' | 'cautious';

/** What an attempt takes a place of. */
export interface Occupant extends EndpointKey {
  id: string;
  destination: string;
}

/**
 * The places that this process has for attempts: on two lanes, and of these so many for each destination, each organization,
 * and each organization at one destination. Many endpoints may lead to one destination, and when it comes back after an
 * outage they must not all run at it at once; and no organization, however many endpoints hang, takes the places of all.
 */
export class Places {
  readonly #lanes = {
    swift: new Lane(512, { oldAfterMs: 2_000, oldPlaces: 512 }),
    cautious: new Lane(2_048),
  };
  readonly #organizations = { swift: new Shares(256), cautious: new Shares(512) };
  readonly #destinations = new Shares(200);
  readonly #organizationsAtDestinations = new Shares(100);

  /** How many attempts may begin on a lane at this time. */
  free(lane: LaneName, nowMs: number): number {
    return this.#lanes[lane].freePlaces(nowMs);
  }

  /** How much one endpoint may have under way on a lane: less, the more of the lane is taken. */
  mostOfEach(lane: LaneName): number {
    const { taken } = this.#lanes[lane];
    return taken < 0.25 ? 64 : taken < 0.5 ? 4 : 1;
  }

  fullDestinations(): string[] {
    return this.#destinations.full();
  }

  fullOrganizations(lane: LaneName): string[] {
    return this.#organizations[lane].full();
  }

  /**
   * Gives out what organizations and destinations have left: the function answers how many of the attempts that are wanted at
   * an endpoint may begin, and remembers what it gave.
   */
  giveOut(lane: LaneName): (endpoint: Omit<Occupant, 'id' | 'endpoint_id'>, wanted: number) => number {
    const given = new Map<string, number>();
    return (endpoint, wanted) => {
      const shares = this.#sharesOf(lane, endpoint);
      const left = shares.map(([share, name]) => share.left(name) - (given.get(name) ?? 0));
      const count = Math.max(0, Math.min(wanted, ...left));
      for (const [, name] of shares) {
        given.set(name, (given.get(name) ?? 0) + count);
      }
      return count;
    };
  }

  begin(lane: LaneName, occupant: Occupant, nowMs: number): void {
    this.#lanes[lane].begin(occupant.id, nowMs);
    for (const [shares, name] of this.#sharesOf(lane, occupant)) {
      shares.begin(name);
    }
  }

  end(lane: LaneName, occupant: Occupant): void {
    this.#lanes[lane].end(occupant.id);
    for (const [shares, name] of this.#sharesOf(lane, occupant)) {
      shares.end(name);
    }
  }

  #sharesOf(
    lane: LaneName,
    { organization_id: organization, destination }: Omit<Occupant, 'id' | 'endpoint_id'>,
  ): Array<[Shares, string]> {
    return [
      [this.#organizations[lane], organization],
      [this.#destinations, destination],
      [this.#organizationsAtDestinations, `${organization} ${destination}`],
    ];
  }
}
