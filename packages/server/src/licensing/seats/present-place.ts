import { isoTime } from '../../clock/index.ts';
import type { PlaceInLine } from './seat-items.ts';

/** A place in line as the API shows it. */
export interface PlaceResource {
  wait_id: string;
  position: number;
  expires_at: string;
  poll_after_seconds: number;
}

export function presentPlace({ waitId, position, expiresAtMs }: PlaceInLine): PlaceResource {
  return {
    wait_id: waitId,
    position,
    expires_at: isoTime(expiresAtMs),
    poll_after_seconds: Math.min(position, LONGEST_PAUSE_SECONDS),
  };
}

/** Well below the 30 s for which a seat is reserved. */
const LONGEST_PAUSE_SECONDS = 10;
