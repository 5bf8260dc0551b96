import { count, decide, type Gatekeeper, userKey } from './count.ts';
import type { ApiError } from './errors.ts';
import { type Exchange, type LateCount, rateLimited } from './exchange.ts';
import type { Principal } from './principal.ts';
import { type EndpointLimit, raiseLimit, type Subject } from './rate-limit/index.ts';
import type { ResourceMemory, ResourceStanding } from './resource-memory.ts';

/**
 * Counts the requests of a route under the resource that each is about, not under its user: one token may keep a
 * thousand of them alive. Only the caller's own resources are counted that way. A request that turns out to name
 * another one counts against the user like any other, so that the limits cannot be evaded with invented identifiers.
 */
export interface CountedResource {
  /** The windows of each resource. */
  limit: EndpointLimit;
  /** The resource named by the body or the path; undefined if they are invalid. */
  idOf(rawBody: Buffer | undefined, params: Readonly<Record<string, string>>): string | undefined;
  /** What a refusal says about the resource; undefined if it does not belong to the caller or does not exist. */
  standingOf(code: string): ResourceStanding | undefined;
  /** The resources of callers that this process has seen. */
  memory: ResourceMemory;
  /**
   * The minimum number of requests per minute about ended resources for a user; beyond that, the tier's limit per
   * minute applies.
   */
  endedAtLeast(principal: Principal): number | Promise<number>;
}

/** The count of one request about one resource. */
export class ResourceCount implements LateCount {
  readonly #gate: Gatekeeper;
  readonly #exchange: Exchange;
  readonly #rule: CountedResource;
  readonly #principal: Principal;
  readonly #id: string;
  readonly #memoryKey: string;
  /** What was known about the resource before the request ran. */
  #known: ResourceStanding | undefined;

  constructor(gate: Gatekeeper, exchange: Exchange, rule: CountedResource, principal: Principal, id: string) {
    this.#gate = gate;
    this.#exchange = exchange;
    this.#rule = rule;
    this.#principal = principal;
    this.#id = id;
    this.#memoryKey = `${principal.userId} ${principal.organizationId} ${id}`;
  }

  /**
   * Counts a request about a resource that is known to belong to the caller. For an unknown one, nothing is counted
   * yet: a process that has just started must not refuse the heartbeat of a seat because its user has used up their
   * windows.
   */
  begin(): Promise<void> | undefined {
    this.#known = this.#rule.memory.recall(this.#memoryKey);
    return this.#known === undefined ? undefined : this.#take(this.#known);
  }

  /** Remembers the standing of the resource, and counts the request if it was not counted yet. Throws if refused. */
  conclude(standing: ResourceStanding): Promise<void> | undefined {
    if (this.#known === standing && this.#exchange.decision !== undefined) {
      return undefined;
    }
    this.#rule.memory.note(this.#memoryKey, standing);
    return this.#exchange.decision === undefined ? this.#takeLate(this.#take(standing)) : undefined;
  }

  /** The same for a request that failed; throws if it exceeds a limit, so that the answer is 429 instead. */
  async concludeFailure(failure: ApiError): Promise<void> {
    if (failure.code === 'rate_limit_exceeded') {
      return;
    }
    const standing = this.#rule.standingOf(failure.code);
    if (standing !== undefined) {
      await this.conclude(standing);
      return;
    }
    const isOurFault = failure.status >= 500;
    if (!isOurFault) {
      this.#rule.memory.forget(this.#memoryKey);
    }
    if (this.#exchange.decision === undefined) {
      await this.#takeLate(isOurFault ? this.#take('live') : count(this.#gate, this.#exchange, this.#principal));
    }
  }

  async #takeLate(taking: Promise<void> | undefined): Promise<void> {
    await taking;
    if (this.#exchange.decision?.allowed === false) {
      throw rateLimited();
    }
  }

  #take(standing: ResourceStanding): Promise<void> | undefined {
    const { limit } = this.#rule;
    const windows = this.#gate.limits.endpoints[limit];
    const own = { key: `${limit}:${this.#principal.organizationId}:${this.#id}`, windows };
    return standing === 'live' ? this.#decide([own]) : this.#takeEnded(own);
  }

  /**
   * A user's ended resources accumulate, and thirty requests per minute for each would soon be no limit, so the
   * requests about all of them are also counted together.
   */
  async #takeEnded(own: Subject): Promise<void> {
    const floor = await this.#rule.endedAtLeast(this.#principal);
    const minute = this.#gate.limits.tiers[this.#principal.tier].slice(0, 1);
    const windows = raiseLimit(minute, floor).map((window) => ({ ...window, name: 'ended' }));
    await this.#decide([own, { key: `ended:${userKey(this.#principal)}`, windows }]);
  }

  #decide(subjects: readonly Subject[]): Promise<void> | undefined {
    return decide(this.#gate, this.#exchange, subjects, this.#gate.limits.enforce);
  }
}
