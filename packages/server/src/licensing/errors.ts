import { Type } from 'typebox';
import { ApiError, type ErrorDefinition } from '../http/index.ts';

const Timestamp = Type.String({ format: 'date-time' });

/** The codes that this room owns (service.md "Error codes", contract §3). */
export const LICENSING_ERRORS = {
  no_seats_available: {
    status: 409,
    details: Type.Object({ max_seats: Type.Integer(), active_seats: Type.Integer() }),
    when: 'All seats of the license are in use.',
  },
  license_expired: {
    status: 403,
    details: Type.Object({ expired_at: Timestamp }),
    when: 'The license has expired.',
  },
  license_suspended: { status: 403, when: 'The license was suspended by the operator.' },
  license_revoked: { status: 403, when: 'The license was revoked by the operator.' },
  user_not_allowed: { status: 403, when: "The user is not in the license's allowed_users." },
  offline_not_allowed: {
    status: 403,
    details: Type.Object({ max_offline_seconds: Type.Integer(), available_offline_seats: Type.Integer() }),
    when: "The license's policy does not allow a seat to be offline for that long, or allows no more offline seats.",
  },
  activation_limit_reached: {
    status: 409,
    details: Type.Object({ max_activations: Type.Integer() }),
    when: 'The license is already activated on as many machines as its policy allows.',
  },
  invalid_hardware_id: {
    status: 422,
    details: Type.Object({ expected_format: Type.String() }),
    when: 'hardware_id is not hw_ followed by 32 characters of a-z and 0-9.',
  },
  session_timeout: {
    status: 409,
    details: Type.Object({ last_heartbeat: Timestamp, timeout_at: Timestamp }),
    when: 'The session timed out because it missed its heartbeats, and its seat was freed.',
  },
  session_released: {
    status: 409,
    details: Type.Object({ released_at: Timestamp }),
    when: 'The session was already released.',
  },
} as const satisfies Record<string, ErrorDefinition>;

/** The codes with which a license refuses a seat. */
export const REFUSAL_CODES = [
  'no_seats_available',
  'license_expired',
  'license_suspended',
  'license_revoked',
  'user_not_allowed',
  'offline_not_allowed',
] as const satisfies ReadonlyArray<keyof typeof LICENSING_ERRORS>;

export type RefusalCode = (typeof REFUSAL_CODES)[number];

export type LicensingErrorCode = keyof typeof LICENSING_ERRORS;

/** One of this room's refusals; the message is public. */
export function licensingError(
  code: LicensingErrorCode,
  message: string,
  details?: Readonly<Record<string, unknown>>,
): ApiError {
  return new ApiError(code, LICENSING_ERRORS[code], message, details === undefined ? {} : { details });
}
