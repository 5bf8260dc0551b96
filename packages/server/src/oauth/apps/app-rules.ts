import { type ApiError, httpError, invalidRequest, type Principal } from '../../http/index.ts';
import type { AppOwner } from './queries.ts';
import { findRedirectUriFault } from './redirect-uri-rules.ts';

/** How many apps an organization can have. */
export const MAX_APPS = 100;

/**
 * The apps that a user may see and change: for an admin, all of the organization's; for others, those that they
 * registered.
 */
export function appsOf({
  organizationId,
  role,
  userId,
}: Pick<Principal, 'organizationId' | 'role' | 'userId'>): AppOwner {
  return { organizationId, createdBy: role === 'admin' ? null : userId };
}

/** Throws `invalid_request` for a deceptive name, because it is shown on the consent page. */
export function checkAppName(name: string): void {
  // These change the direction of surrounding text, so that the page would show something different.
  if (/\p{Bidi_Control}/u.test(name)) {
    throw invalidRequest('name', 'format', 'name must not contain characters that change the text direction.');
  }
}

/** Throws `invalid_request` if a scope is named twice. */
export function checkAppScopes(scopes: readonly string[]): void {
  if (new Set(scopes).size < scopes.length) {
    throw invalidRequest('scopes', 'length', 'scopes must not contain duplicates.');
  }
}

/**
 * Throws `invalid_request` for an app that could never get tokens: without a redirect URI and without the device flow.
 */
export function checkFlows(uris: readonly string[], hasDeviceFlow: boolean): void {
  if (uris.length === 0 && !hasDeviceFlow) {
    throw invalidRequest(
      'redirect_uris',
      'length',
      'redirect_uris must have at least 1 item, unless device_flow is true.',
    );
  }
}

/** Throws `validation_failed` for the first invalid redirect URI. */
export function checkRedirectUris(uris: readonly string[], isConfidential: boolean): void {
  const fault = findRedirectUriFault(uris, isConfidential);
  if (fault !== undefined) {
    throw httpError('validation_failed', fault.message, {
      details: { field: `redirect_uris.${fault.place}`, reason: fault.reason },
    });
  }
}

/** `conflict` for an organization at its limit of apps. */
export function tooManyApps(): ApiError {
  return httpError('conflict', `An organization can have at most ${MAX_APPS} OAuth apps. Delete one first.`);
}
