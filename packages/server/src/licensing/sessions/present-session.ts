import { isoTime } from '../../clock/index.ts';
import type { SessionResource } from '../schemas.ts';

/** A session as its license and its events show it. */
export function presentSession(session: {
  session_id: string | null;
  user_id: string | null;
  hardware_id: string | null;
  started_at_ms: number | null;
  last_heartbeat_ms: number | null;
}): SessionResource {
  return {
    id: session.session_id ?? '',
    user_id: session.user_id ?? '',
    hardware_id: session.hardware_id ?? '',
    started_at: isoTime(session.started_at_ms ?? 0),
    last_heartbeat: isoTime(session.last_heartbeat_ms ?? 0),
  };
}
