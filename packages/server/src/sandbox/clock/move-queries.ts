import type { Queries, Statement } from '../../database/index.ts';

/** A clock that is being moved. Times in milliseconds since 1970. */
export interface Move {
  organizationId: string;
  /** Who moves it: what another has taken over since is lost. */
  moveId: string;
  targetOffsetMs: number;
  /** On the organization's clock: when it began, and where it leads. */
  beganAtMs: number;
  targetAtMs: number;
  seconds: number;
}

/** A move as it is kept. */
export interface MoveRow {
  target_offset_ms: number;
  began_at_ms: number;
  target_at_ms: number;
  seconds: number;
  request_key: Buffer | null;
  /** Whether somebody is still at it. */
  is_leased: boolean;
}

/** The move of an organization's clock that has not ended, if there is one; the organization's row is locked. */
export async function findMove(tx: Queries, organizationId: string): Promise<MoveRow | undefined> {
  return (await tx.query(FIND_MOVE, [organizationId]))[0];
}

/** Writes a move in the place of any other of the organization, whose row is locked. */
export async function insertMove(tx: Queries, move: Move, requestKey: Buffer | undefined): Promise<void> {
  await tx.query(INSERT_MOVE, [
    move.organizationId,
    move.moveId,
    move.targetOffsetMs,
    new Date(move.beganAtMs).toISOString(),
    new Date(move.targetAtMs).toISOString(),
    move.seconds,
    requestKey ?? null,
    LEASE_MS,
  ]);
}

/** Says that somebody is still at it; false when another has taken it over. */
export async function renewMove(database: Queries, move: Move): Promise<boolean> {
  return (await database.query(RENEW_MOVE, [move.organizationId, move.moveId, LEASE_MS])).length > 0;
}

/** Lets whoever asks again go on with it at once, or begin another. */
export async function releaseMove(database: Queries, move: Move): Promise<void> {
  await database.query(RENEW_MOVE, [move.organizationId, move.moveId, 0]);
}

/** Ends it; false when another has taken it over. */
export async function deleteMove(tx: Queries, move: Move): Promise<boolean> {
  return (await tx.query(DELETE_MOVE, [move.organizationId, move.moveId])).length > 0;
}

/** How long nobody else may move the clock of a process that gave no sign of life. */
const LEASE_MS = 30_000;

const FIND_MOVE: Statement<MoveRow> = {
  name: 'find_clock_move',
  text: `select target_offset_ms, (extract(epoch from began_at) * 1000)::bigint as began_at_ms,
      (extract(epoch from target_at) * 1000)::bigint as target_at_ms, seconds, request_key,
      leased_until > clock_timestamp() as is_leased
    from sandbox_clock_moves where organization_id = $1`,
};

const INSERT_MOVE: Statement<never> = {
  name: 'insert_clock_move',
  text: `insert into sandbox_clock_moves (organization_id, move_id, target_offset_ms, began_at, target_at, seconds,
      request_key, leased_until)
    values ($1, $2, $3, $4, $5, $6, $7, clock_timestamp() + $8 * interval '1 millisecond')
    on conflict (organization_id) do update set move_id = excluded.move_id,
      target_offset_ms = excluded.target_offset_ms, began_at = excluded.began_at, target_at = excluded.target_at,
      seconds = excluded.seconds, request_key = excluded.request_key, leased_until = excluded.leased_until`,
};

const RENEW_MOVE: Statement<{ move_id: string }> = {
  name: 'renew_clock_move',
  text: `update sandbox_clock_moves set leased_until = clock_timestamp() + $3 * interval '1 millisecond'
    where organization_id = $1 and move_id = $2 returning move_id`,
};

const DELETE_MOVE: Statement<{ move_id: string }> = {
  name: 'delete_clock_move',
  text: 'delete from sandbox_clock_moves where organization_id = $1 and move_id = $2 returning move_id',
};
