import type { ChangeOperatorLicenseBody, LicensePolicyInput, OperatorLicense } from '@seathold/client';
import type { Terms } from './terms-fields.tsx';

/**
 * The terms that differ from the license. Only these are sent, because seats and end of a license with a subscription
 * are refused even if unchanged. Fields removed from the policy are inherited again.
 */
export function findChangedTerms(license: OperatorLicense, terms: Terms): ChangeOperatorLicenseBody {
  const change: ChangeOperatorLicenseBody = {};
  if (terms.product !== license.product) {
    change.product = terms.product;
  }
  if (terms.max_seats !== license.max_seats) {
    change.max_seats = terms.max_seats;
  }
  if (!isSameMinute(terms.expires_at, license.expires_at)) {
    change.expires_at = terms.expires_at;
  }
  if (!isSame(terms.features ?? {}, license.features)) {
    change.features = terms.features ?? {};
  }
  if ((terms.external_id ?? null) !== license.external_id) {
    change.external_id = terms.external_id ?? null;
  }
  if (!isSame(terms.metadata ?? {}, license.metadata)) {
    change.metadata = terms.metadata ?? {};
  }
  if (!isSame(terms.policy ?? {}, license.policy_overrides)) {
    change.policy = replacePolicy(license, terms.policy ?? {});
  }
  return change;
}

/** The form has no seconds, so an unchanged end must keep its own. */
function isSameMinute(one: string | null, other: string | null): boolean {
  return one?.slice(0, 16) === other?.slice(0, 16);
}

function isSame(one: object, other: object): boolean {
  const textOf = (value: object) => JSON.stringify(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
  return textOf(one) === textOf(other);
}

function replacePolicy(license: OperatorLicense, policy: LicensePolicyInput): LicensePolicyInput {
  const gone = Object.keys(license.policy_overrides).filter((name) => !(name in policy));
  return { ...Object.fromEntries(gone.map((name) => [name, null])), ...policy };
}
