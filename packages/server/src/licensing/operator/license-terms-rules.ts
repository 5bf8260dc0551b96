import { findPolicyFaults, type PolicyOverrides } from '../../billing/index.ts';
import { httpError, invalidRequest } from '../../http/index.ts';
import type { LicensingSettings } from '../licensing-tools.ts';
import { policyOf } from './present-operator-license.ts';
import type { OperatorLicenseRow } from './queries.ts';
import type { PolicyChange, TermsInput } from './schemas.ts';

/** The policy of the license after a change. A null field is inherited again. */
export function applyPolicyChange(
  before: PolicyOverrides,
  usersBefore: readonly string[] | null,
  { allowed_users: users, ...change }: PolicyChange,
): { policy: PolicyOverrides; allowedUsers: readonly string[] | null } {
  const merged = Object.entries({ ...before, ...change }).filter(([, value]) => value !== null);
  return { policy: Object.fromEntries(merged), allowedUsers: users === undefined ? usersBefore : users };
}

/** Throws validation_failed if the resulting policy contradicts itself. */
export function requireConsistent(row: OperatorLicenseRow, settings: LicensingSettings): void {
  const { allowed_users: _users, ...policy } = policyOf(row, settings);
  const [fault] = findPolicyFaults(policy);
  if (fault !== undefined) {
    throw httpError('validation_failed', `policy.${fault.field} ${fault.problem}.`, {
      details: { field: `policy.${fault.field}`, reason: 'conflict' },
    });
  }
}

/** Checks what the schema cannot express: metadata has a total limit, and times have a range. */
export function requireFitting({ metadata, expires_at: expiresAt }: Pick<TermsInput, 'metadata' | 'expires_at'>): void {
  if (metadata !== undefined && Buffer.byteLength(JSON.stringify(metadata)) > MAX_METADATA_BYTES) {
    throw invalidRequest('metadata', 'length', `metadata must be at most ${MAX_METADATA_BYTES} bytes of JSON.`);
  }
  if (typeof expiresAt === 'string' && !(Date.parse(expiresAt) >= EARLIEST_MS && Date.parse(expiresAt) <= LATEST_MS)) {
    throw invalidRequest('expires_at', 'format', 'expires_at must be a time between the years 2000 and 9999.');
  }
}

const MAX_METADATA_BYTES = 8_192;
const EARLIEST_MS = Date.parse('2000-01-01T00:00:00Z');
const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z');
