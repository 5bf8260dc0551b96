import type { HeldSeat } from './keeper-types.ts';
import type { ServiceMemory } from './seat-service.ts';
import { parseKeySet } from './verify-license-token.ts';

/** Stores a seat for the next run of the program. The text contains tokens, so others must not be able to read it. */
export interface SeatStore {
  /** Returns what was saved last, or undefined. */
  load(): Promise<string | undefined> | string | undefined;
  save(text: string): Promise<void> | void;
}

/** The content of a store. */
export interface Stored extends ServiceMemory {
  /** The latest time seen from the service: an earlier time of day is not trusted. */
  readonly seenMs: number;
  readonly seat: Pick<HeldSeat, 'licenseToken' | 'heartbeatIntervalSeconds' | 'offlineUntilMs'> | undefined;
}

/** The stored state of the same license on the same machine. Anything else is ignored. */
export function parseStored(text: string | undefined, licenseKey: string, hardwareId: string): Stored {
  const value = parseObject(text ?? '');
  const isOurs = value.version === 1 && value.license_key === licenseKey && value.hardware_id === hardwareId;
  const { seen_at: seenAt, activation_token: activationToken, keys, revocations, seat } = isOurs ? value : {};
  return {
    seenMs: parseTime(seenAt) ?? 0,
    activationToken: typeof activationToken === 'string' ? activationToken : undefined,
    keys: typeof keys === 'string' ? parseKeySet(parseObject(keys)) : [],
    revocations: typeof revocations === 'string' ? revocations : undefined,
    seat: parseSeat(seat),
  };
}

/** The text that `parseStored` reads. */
export function formatStored({ seenMs, activationToken, keys, revocations, seat }: Stored, of: StoredFor): string {
  return JSON.stringify({
    version: 1,
    license_key: of.licenseKey,
    hardware_id: of.hardwareId,
    seen_at: new Date(seenMs).toISOString(),
    activation_token: activationToken,
    keys: JSON.stringify({ keys }),
    revocations,
    seat: seat && {
      license_token: seat.licenseToken,
      heartbeat_interval: seat.heartbeatIntervalSeconds,
      offline_until: seat.offlineUntilMs === undefined ? undefined : new Date(seat.offlineUntilMs).toISOString(),
    },
  });
}

interface StoredFor {
  readonly licenseKey: string;
  readonly hardwareId: string;
}

function parseSeat(value: unknown): Stored['seat'] {
  const { license_token: licenseToken, heartbeat_interval: interval, offline_until: until } = Object(value);
  return typeof licenseToken !== 'string'
    ? undefined
    : {
        licenseToken,
        heartbeatIntervalSeconds: typeof interval === 'number' && interval >= 1 ? interval : 60,
        offlineUntilMs: parseTime(until),
      };
}

function parseTime(value: unknown): number | undefined {
  return typeof value === 'string' ? Date.parse(value) || undefined : undefined;
}

function parseObject(text: string): Record<string, unknown> {
  try {
    return { ...Object(JSON.parse(text)) };
  } catch {
    return {};
  }
}
