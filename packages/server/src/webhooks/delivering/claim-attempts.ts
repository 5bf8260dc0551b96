import { randomUUID } from 'node:crypto';
import type { Queries } from '../../database/index.ts';
import { columnsOf, keyOf } from '../endpoint-state/endpoint-key.ts';
import type { Health } from '../endpoint-state/health-rules.ts';
import type { LaneName } from '../endpoint-state/lanes.ts';
import type { SigningKey } from '../signing/sign-attempt.ts';
import type { Capacity } from './capacity.ts';
import { type ClaimedRow, claimAttempts, listTargets, lockTurns, type TurnRow, updateTurns } from './claim-queries.ts';
import type { DeliveryTools } from './delivery-tools.ts';
import type { SigningKeys } from './signing-keys.ts';
import type { TakenInFlight } from './taken-in-flight.ts';

/** A planned attempt that this process may make, with everything needed for it. */
export interface ClaimedAttempt extends ClaimedRow {
  claimId: string;
  /** When it was claimed, by `performance.now()`; the lease begins then. */
  claimedAtMs: number;
  destination: string;
  /** The last attempt at its endpoint got no response, so this one has to dial. */
  isSilent: boolean;
  url: string;
  /** The secrets that sign now, newest first; none if they cannot be read. */
  keys: readonly SigningKey[];
  /**
   * Set if the event was taken and sent immediately: the attempt is neither planned nor counted in its endpoint's row.
   */
  taken?: TakenTerms;
}

/** Endpoint data of a taken attempt. */
export interface TakenTerms {
  health: Health;
  /** How many of them the endpoint may have in flight in this process. */
  inFlightLimit: number;
  /** What to add to `performance.now()` for the organization's time, in milliseconds since 1970. */
  clockMs: number;
}

export interface Claim {
  attempts: ClaimedAttempt[];
  /** Whether more endpoints may wait for their turn than one claim serves. */
  hasMore: boolean;
}

export interface ClaimLimits {
  /** How many attempts to claim at most. */
  available: number;
  /** Whether to serve endpoints that did not answer the last attempt. */
  includesSilent: boolean;
  taken: Pick<TakenInFlight, 'count'>;
  signingKeys: SigningKeys;
}

/**
 * Claims due attempts of one lane. The transaction ends before anything is sent. Each endpoint gets as much as its own
 * limit allows and goes to the end of the queue, so that none waits for another's backlog.
 */
export async function claimDueAttempts(
  tools: DeliveryTools,
  capacity: Capacity,
  lane: LaneName,
  limits: ClaimLimits,
): Promise<Claim> {
  const claimId = randomUUID();
  const claimedAtMs = performance.now();
  const limit = Math.min(limits.available, MAX_ENDPOINTS);
  const { rows, turns, targets } = await tools.database.transaction(async (tx) => {
    const found = await lockTurns(tx, {
      isCautious: lane === 'slow',
      maxPerEndpoint: capacity.maxPerEndpoint(lane),
      fullDestinations: capacity.fullDestinations(),
      fullOrganizations: capacity.fullOrganizations(lane),
      limit,
      includesSilent: limits.includesSilent,
    });
    const turns = found.map((each) => ({ ...each, available: each.available - limits.taken.count(each) }));
    if (turns.length === 0) {
      return { rows: [], turns, targets: [] };
    }
    const allotments = allot(turns, limits.available, capacity.createAllotter(lane));
    const rows = await claimAndRequeue(tx, allotments, { claimId, leaseMs: tools.leaseMs });
    return { rows, turns, targets: await listTargets(tx, columnsOf(turns)) };
  });
  const turnsOf = new Map(turns.map((each) => [keyOf(each), each]));
  const targetsOf = Map.groupBy(targets, keyOf);
  const keysOf = new Map([...targetsOf].map(([key, rowsOf]) => [key, limits.signingKeys.get(rowsOf)]));
  const attempts = rows.map((row) => {
    const key = keyOf(row);
    return {
      ...row,
      claimId,
      claimedAtMs,
      destination: turnsOf.get(key)?.destination ?? '',
      isSilent: turnsOf.get(key)?.is_silent === true,
      url: targetsOf.get(key)?.[0]?.url ?? '',
      keys: keysOf.get(key) ?? [],
    };
  });
  return { attempts, hasMore: turns.length >= limit };
}

async function claimAndRequeue(
  tx: Queries,
  allotments: ReturnType<typeof allot>,
  lease: { claimId: string; leaseMs: number },
): Promise<ClaimedRow[]> {
  const rows = await claimAttempts(tx, { allotments, ...lease });
  const counts = Map.groupBy(rows, keyOf);
  const served = allotments.map((each) => ({ ...each, claimed: counts.get(keyOf(each))?.length ?? 0 }));
  await updateTurns(tx, { served });
  return rows;
}

/** One claim serves at most this many endpoints, because it holds their locks until it commits. */
const MAX_ENDPOINTS = 64;

/**
 * Every endpoint gets one attempt before any gets a second; if few endpoints wait, each gets as much as its limit allows. An
 * endpoint whose organization or destination has used up its quota gets none, and goes to the end of the queue.
 */
function allot(turns: readonly TurnRow[], available: number, take: (turn: TurnRow, wanted: number) => number) {
  const first = turns.map((turn) => take(turn, Math.max(0, Math.min(turn.available, 1))));
  let left = turns.length < MAX_ENDPOINTS ? available - turns.length : 0;
  return turns.map((turn, place) => {
    const more = first[place] === 0 ? 0 : take(turn, Math.max(0, Math.min(turn.available - 1, left)));
    left -= more;
    return {
      organization_id: turn.organization_id,
      endpoint_id: turn.endpoint_id,
      is_active: turn.status === 'active',
      available: (first[place] ?? 0) + more,
    };
  });
}
