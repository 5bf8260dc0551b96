import type { FeatureValue, KeeperEvent } from './keeper-types.ts';

/** The keeper's events about its seat. */
export type SeatEvent =
  | {
      /** The program may run: it has a seat, a new one or an extended one, or the service answers again. */
      readonly type: 'granted';
      readonly reason: 'acquired' | 'reacquired' | 'resumed' | 'online' | 'renewed';
      readonly sessionId: string;
      readonly features: Readonly<Record<string, FeatureValue>>;
      readonly expiresAt: Date;
    }
  /** All seats are in use. Sent again when the position changes. */
  | { readonly type: 'waiting'; readonly position: number; readonly expiresAt: Date }
  /** The service does not answer. The program may run until `expiresAt`. */
  | { readonly type: 'offline'; readonly reason: string; readonly expiresAt: Date }
  /** The program must stop using the licensed product. Unless it is final, the keeper tries to get another seat. */
  | { readonly type: 'lost'; readonly reason: string; readonly isFinal: boolean };

export type SeatEventType = SeatEvent['type'];
export type SeatEventOf<Type extends SeatEventType> = Extract<SeatEvent, { type: Type }>;

/** Converts an event of the rules for the program. */
export function presentEvent(event: KeeperEvent): SeatEvent {
  switch (event.type) {
    case 'granted': {
      const { sessionId, features, expiresAtMs } = event.seat;
      return { type: 'granted', reason: event.reason, sessionId, features, expiresAt: new Date(expiresAtMs) };
    }
    case 'waiting':
      return { type: 'waiting', position: event.position, expiresAt: new Date(event.expiresAt) };
    case 'offline':
      return { type: 'offline', reason: event.reason, expiresAt: new Date(event.seat.expiresAtMs) };
    case 'lost':
      return event;
  }
}
