import { isoTime } from '../../clock/index.ts';
import type { ApiError } from '../../http/index.ts';
import { licensingError } from '../errors.ts';

/** The refusal that goes with a license that is not in force. */
export function licenseRefusal(kind: 'expired' | 'suspended' | 'revoked', expiredAtMs: number): ApiError {
  switch (kind) {
    case 'expired':
      return licensingError('license_expired', 'The license has expired.', { expired_at: isoTime(expiredAtMs) });
    case 'suspended':
      return licensingError('license_suspended', 'The license is suspended.');
    case 'revoked':
      return licensingError('license_revoked', 'The license is revoked.');
  }
}
