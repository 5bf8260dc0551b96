import { isoTime } from '../../clock/index.ts';
import type { RefusalResource } from '../schemas.ts';
import { presentHolder } from '../sessions/present-session.ts';
import type { RefusalRow } from './queries.ts';

/** Refused acquires as the API and the event show them. */
export function presentRefusal(row: Omit<RefusalRow, 'organization_id'>): Omit<RefusalResource, 'user'> {
  return {
    id: row.id,
    code: row.code,
    ...(row.user_id === null ? { user_id: null } : presentHolder(row.user_id)),
    hardware_id: row.hardware_id,
    count: row.count,
    first_at: isoTime(row.first_at_ms),
    last_at: isoTime(row.last_at_ms),
    active_seats: row.active_seats,
    max_seats: row.max_seats,
  };
}
