import { count, maybeOne, statement } from '../../database/index.ts';

/** A clock that is being moved. Times in milliseconds since 1970. */
export interface Move {
  organizationId: string;
  /** The ID of the claim. It changes if another process takes over the move. */
  moveId: string;
  targetOffsetMs: number;
  /** On the organization's clock: the start and the target. */
  beganAtMs: number;
  targetAtMs: number;
  seconds: number;
}

/** A move as stored. */
export interface MoveRow {
  target_offset_ms: number;
  began_at_ms: number;
  target_at_ms: number;
  seconds: number;
  request_key: Buffer | null;
  /** Whether a process is still working on it. */
  is_leased: boolean;
}

/** The unfinished move of an organization's clock, if there is one. The organization's row is locked. */
export const findMove = statement({
  name: 'find_clock_move',
  parameters: { organizationId: 'text' },
  returns: maybeOne<MoveRow>(),
  sql: ({ organizationId }) => `select target_offset_ms, (extract(epoch from began_at) * 1000)::bigint as began_at_ms,
      (extract(epoch from target_at) * 1000)::bigint as target_at_ms, seconds, request_key,
      leased_until > clock_timestamp() as is_leased
    from sandbox_clock_moves where organization_id = ${organizationId}`,
});

const leasedUntil = (leaseMs: string) => `clock_timestamp() + ${leaseMs} * interval '1 millisecond'`;

/** Writes a move, replacing any other of the organization, whose row is locked. */
export const upsertMove = statement({
  name: 'insert_clock_move',
  parameters: {
    organizationId: 'text',
    moveId: 'text',
    targetOffsetMs: 'bigint',
    beganAtMs: 'instant',
    targetAtMs: 'instant',
    seconds: 'integer',
    requestKey: 'bytea | null',
    leaseMs: 'integer',
  },
  sql: (
    move,
  ) => `insert into sandbox_clock_moves (organization_id, move_id, target_offset_ms, began_at, target_at, seconds,
      request_key, leased_until)
    values (${move.organizationId}, ${move.moveId}, ${move.targetOffsetMs}, ${move.beganAtMs}, ${move.targetAtMs},
      ${move.seconds}, ${move.requestKey}, ${leasedUntil(move.leaseMs)})
    on conflict (organization_id) do update set move_id = excluded.move_id,
      target_offset_ms = excluded.target_offset_ms, began_at = excluded.began_at, target_at = excluded.target_at,
      seconds = excluded.seconds, request_key = excluded.request_key, leased_until = excluded.leased_until`,
});

/** Extends the lease of a move. Counts none if another process has taken it over. With a lease of 0 it is released. */
export const updateMoveLease = statement({
  name: 'renew_clock_move',
  parameters: { organizationId: 'text', moveId: 'text', leaseMs: 'integer' },
  returns: count(),
  sql: ({ organizationId, moveId, leaseMs }) => `update sandbox_clock_moves set leased_until = ${leasedUntil(leaseMs)}
    where organization_id = ${organizationId} and move_id = ${moveId}`,
});

/** Ends a move. Counts none if another process has taken it over. */
export const deleteMove = statement({
  name: 'delete_clock_move',
  parameters: { organizationId: 'text', moveId: 'text' },
  returns: count(),
  sql: ({ organizationId, moveId }) =>
    `delete from sandbox_clock_moves where organization_id = ${organizationId} and move_id = ${moveId}`,
});

/** How long a process without a heartbeat keeps others from moving the clock. */
export const LEASE_MS = 30_000;
