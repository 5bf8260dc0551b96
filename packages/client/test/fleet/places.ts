import type { Action, Evidence, Fault, Line } from './records.ts';

/** A program's request for a seat, from when it asked until it had the seat or stopped waiting. */
export interface Place {
  readonly program: string;
  readonly askedAt: number;
  /**
   * It cannot have been in line before this time. This is when it asked or, if its previous process ended in line, when
   * that process asked: a machine that asks again keeps its place, unless its leaving reached the service.
   */
  readonly earliestInLineAt: number;
  /** It was in line by this time at the latest. Undefined if it got a seat without a wait. */
  readonly knownAt: number | undefined;
  readonly endedAt: number;
  /** `lapsed`: the program had another place afterwards. `gone`: its program ended. `unfinished`: the records end. */
  readonly end: 'granted' | 'lapsed' | 'gone' | 'refused' | 'unfinished';
  /** Why it was refused. */
  readonly reason: string | undefined;
  /** Whether its machine may have had a session already: it was killed with its seat, or its release may not have arrived. */
  readonly mayHaveSession: boolean;
}

/**
 * The places of all programs. Within one place, the position only ever falls, and a keeper reports it only when it
 * changes. So a position that does not fall belongs to another place.
 */
export function listPlaces({ lines, actions, faults }: Evidence): Place[] {
  const programs = new Set(lines.map(({ program }) => program));
  return [...programs].flatMap((program) => {
    const list = new PlaceList(program, faults);
    const own = [...lines, ...actions].filter((each) => each.program === program);
    for (const each of own.sort((one, other) => one.at - other.at)) {
      list.take(each);
    }
    return list.end();
  });
}

/**
 * A keeper gives up on a release that is not answered within this time, retries, and in the end leaves the seat to the
 * time-out.
 */
const RELEASE_LIMIT_MS = 5_000;

class PlaceList {
  readonly #program: string;
  readonly #faults: readonly Fault[];
  readonly #places: Place[] = [];
  #askedAt: number | undefined;
  /** When the previous process asked, if it ended in line: the machine may still have that place. */
  #leftInLineAt: number | undefined;
  #knownAt: number | undefined;
  #position = Number.POSITIVE_INFINITY;
  #stoppedAt = 0;
  #mayHaveSession = false;
  /** The last line that was not `lost`, which a keeper reports together with what follows. */
  #lastAt = 0;

  constructor(program: string, faults: readonly Fault[]) {
    this.#program = program;
    this.#faults = faults;
  }

  take(each: Line | Action): void {
    switch (each.event) {
      case 'asking':
        this.#askedAt = each.at;
        break;
      case 'waiting':
        this.#wait(each.at, each.position);
        break;
      case 'granted':
        this.#close('granted', each.at);
        break;
      case 'refused':
        this.#close('refused', each.at, each.reason);
        break;
      case 'stopping':
        this.#stoppedAt = each.at;
        break;
      case 'released':
        this.#mayHaveSession =
          each.at - this.#stoppedAt > RELEASE_LIMIT_MS ||
          this.#faults.some(({ from, to }) => from < each.at && to > this.#stoppedAt);
        break;
      case 'killed':
      case 'told_to_end':
        this.#leave(each.at);
        this.#mayHaveSession = true;
        break;
      case 'started':
        // A process may still write for a moment while it shuts down.
        this.#leave(each.at);
        break;
      default:
        break;
    }
    if (each.event !== 'lost') {
      this.#lastAt = each.at;
    }
  }

  end(): Place[] {
    this.#close('unfinished', Number.POSITIVE_INFINITY);
    return this.#places;
  }

  #wait(at: number, position: number): void {
    if (this.#knownAt !== undefined && position >= this.#position) {
      this.#close('lapsed', at);
    }
    this.#askedAt ??= this.#lastAt;
    this.#knownAt ??= at;
    this.#position = position;
    // A machine with a session would have got that session back.
    this.#mayHaveSession = false;
  }

  /** Its process ends, and its machine may keep its place. */
  #leave(at: number): void {
    const inLineAt = this.#askedAt === undefined ? this.#leftInLineAt : (this.#leftInLineAt ?? this.#askedAt);
    this.#close('gone', at);
    this.#leftInLineAt = inLineAt;
  }

  #close(end: Place['end'], endedAt: number, reason?: string): void {
    if (this.#askedAt !== undefined) {
      const [askedAt, knownAt, mayHaveSession] = [this.#askedAt, this.#knownAt, this.#mayHaveSession];
      const earliestInLineAt = this.#leftInLineAt ?? askedAt;
      this.#places.push({
        program: this.#program,
        askedAt,
        earliestInLineAt,
        knownAt,
        endedAt,
        end,
        reason,
        mayHaveSession,
      });
    }
    this.#askedAt = undefined;
    this.#leftInLineAt = undefined;
    this.#knownAt = undefined;
    this.#position = Number.POSITIVE_INFINITY;
  }
}
