import { randomUUID } from 'node:crypto';
import { openSecret } from '../signing/keep-secret.ts';
import { type SigningKey, signingKey } from '../signing/sign-attempt.ts';
import {
  type Allotment,
  type ClaimedRow,
  claimAttempts,
  listTargets,
  lockTurns,
  type TargetRow,
  type TurnRow,
  updateTurns,
} from './claim-queries.ts';
import { type Delivering, keyOf } from './delivering.ts';
import type { LaneName, Places } from './places.ts';

/** A planned attempt that this process may make, with everything that it takes. */
export interface Claimed extends ClaimedRow {
  claimId: string;
  /** When it was, by `performance.now()`: the lease ends a while after. */
  claimedAtMs: number;
  destination: string;
  /** The last attempt at its endpoint got no answer, so this one dials. */
  isSilent: boolean;
  url: string;
  /** Those of the secrets that sign now, the newest first; none when they cannot be read. */
  keys: readonly SigningKey[];
}

/** What a claim brought. */
export interface Claim {
  attempts: Claimed[];
  /** Whether more endpoints may wait for their turn than one claim serves. */
  isCut: boolean;
}

/**
 * Claims up to `free` attempts of one lane. The transaction is over before anything is sent. What each endpoint gets is
 * bounded by its own limit, and whoever was served goes to the end of the row, so that none waits for another's backlog.
 */
export async function claimDue(
  delivering: Delivering,
  places: Places,
  lane: LaneName,
  { free, includesSilent }: { free: number; includesSilent: boolean },
): Promise<Claim> {
  const { database, leaseMs } = delivering;
  const claimId = randomUUID();
  const claimedAtMs = performance.now();
  const limit = Math.min(free, MOST_ENDPOINTS);
  const { rows, turns, targets } = await database.transaction(async (tx) => {
    const turns = await lockTurns(tx, {
      isCautious: lane === 'cautious',
      mostOfEach: places.mostOfEach(lane),
      fullDestinations: places.fullDestinations(),
      fullOrganizations: places.fullOrganizations(lane),
      includesSilent,
      limit,
    });
    if (turns.length === 0) {
      return { rows: [], turns, targets: [] };
    }
    const allotments = allot(turns, free, places.giveOut(lane));
    const rows = await claimAttempts(tx, allotments, claimId, leaseMs);
    const counts = Map.groupBy(rows, keyOf);
    await updateTurns(
      tx,
      allotments,
      allotments.map((each) => counts.get(keyOf(each))?.length ?? 0),
    );
    return { rows, turns, targets: await listTargets(tx, turns) };
  });
  const turnsOf = new Map(turns.map((each) => [keyOf(each), each]));
  const targetsOf = Map.groupBy(targets, keyOf);
  const keysOf = new Map([...targetsOf].map(([key, rowsOf]) => [key, openSecrets(delivering, rowsOf)]));
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
  return { attempts, isCut: turns.length >= limit };
}

/** Those that can be read; none when the current one cannot. A damaged one fails its own endpoint's attempts and nobody else's. */
function openSecrets({ masterKey, log }: Delivering, rows: readonly TargetRow[]): SigningKey[] {
  const opened = rows.flatMap((row) => {
    try {
      return [{ isCurrent: row.is_current, key: signingKey(openSecret(masterKey, row.secret_id, row.secret)) }];
    } catch {
      log.error({ endpoint_id: row.endpoint_id, secret_id: row.secret_id }, 'the secret of an endpoint cannot be read');
      return [];
    }
  });
  return opened.some((each) => each.isCurrent) ? opened.map((each) => each.key) : [];
}

/** Endpoints that one claim serves at most: their locks are held until it commits. */
const MOST_ENDPOINTS = 64;

/**
 * Everyone gets a place before anyone gets a second; then, where the row is short, each as far as its limit goes. Whoever finds
 * the places of its organization or destination taken gets none, and goes to the end of the row.
 */
function allot(turns: readonly TurnRow[], free: number, take: (turn: TurnRow, wanted: number) => number): Allotment[] {
  const first = turns.map((turn) => take(turn, 1));
  let left = turns.length < MOST_ENDPOINTS ? free - turns.length : 0;
  return turns.map((turn, place) => {
    const more = first[place] === 0 ? 0 : take(turn, Math.max(0, Math.min(turn.room - 1, left)));
    left -= more;
    return {
      organization_id: turn.organization_id,
      endpoint_id: turn.endpoint_id,
      isActive: turn.status === 'active',
      room: (first[place] ?? 0) + more,
    };
  });
}
