import { randomUUID } from 'node:crypto';
import { openSecret } from '../signing/keep-secret.ts';
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

/** A planned attempt that this process may make, with everything that it takes. */
export interface Claimed extends ClaimedRow {
  claimId: string;
  destination: string;
  url: string;
  /** Those that sign now, the newest first; none when they cannot be read. */
  secrets: readonly string[];
}

/** What a claim brought. */
export interface Claim {
  attempts: Claimed[];
  /** Whether more endpoints may wait for their turn than one claim serves. */
  isCut: boolean;
}

/**
 * Claims up to `places` attempts of one lane. The transaction is over before anything is sent. What each endpoint gets is
 * bounded by its own limit, and whoever was served goes to the end of the row, so that none waits for another's backlog.
 */
export async function claimDue(
  delivering: Delivering,
  isCautious: boolean,
  fullDestinations: readonly string[],
  places: number,
): Promise<Claim> {
  const { database, leaseMs } = delivering;
  const claimId = randomUUID();
  const { rows, turns, targets } = await database.transaction(async (tx) => {
    const turns = await lockTurns(tx, isCautious, fullDestinations, Math.min(places, MOST_ENDPOINTS));
    if (turns.length === 0) {
      return { rows: [], turns, targets: [] };
    }
    const allotments = allot(turns, places);
    const rows = await claimAttempts(tx, allotments, claimId, leaseMs);
    const counts = Map.groupBy(rows, keyOf);
    await updateTurns(
      tx,
      allotments,
      allotments.map((each) => counts.get(keyOf(each))?.length ?? 0),
    );
    return { rows, turns, targets: await listTargets(tx, turns) };
  });
  const destinations = new Map(turns.map((each) => [keyOf(each), each.destination]));
  const targetsOf = Map.groupBy(targets, keyOf);
  const secrets = new Map([...targetsOf].map(([key, rowsOf]) => [key, openSecrets(delivering, rowsOf)]));
  const attempts = rows.map((row) => {
    const key = keyOf(row);
    return {
      ...row,
      claimId,
      destination: destinations.get(key) ?? '',
      url: targetsOf.get(key)?.[0]?.url ?? '',
      secrets: secrets.get(key) ?? [],
    };
  });
  return { attempts, isCut: turns.length >= Math.min(places, MOST_ENDPOINTS) };
}

/** Those that can be read. One that was damaged fails its own endpoint's attempts and nobody else's. */
function openSecrets({ masterKey, log }: Delivering, rows: readonly TargetRow[]): string[] {
  return rows.flatMap((row) => {
    try {
      return [openSecret(masterKey, row.secret_id, row.secret)];
    } catch {
      log.error({ endpoint_id: row.endpoint_id, secret_id: row.secret_id }, 'the secret of an endpoint cannot be read');
      return [];
    }
  });
}

/** Endpoints that one claim serves at most: their locks are held until it commits. */
const MOST_ENDPOINTS = 64;

/** Everyone gets a place before anyone gets a second; then each as far as its limit goes. */
function allot(turns: readonly TurnRow[], places: number): Allotment[] {
  let left = places - turns.length;
  return turns.map((turn) => {
    const more = Math.max(0, Math.min(turn.room - 1, left, MOST_OF_ONE - 1));
    left -= more;
    return {
      organization_id: turn.organization_id,
      endpoint_id: turn.endpoint_id,
      isActive: turn.status === 'active',
      room: 1 + more,
    };
  });
}

const MOST_OF_ONE = 32;
