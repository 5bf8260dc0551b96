import type { AddressGuard } from './address-guard.ts';
import { AttemptFailure } from './attempt-errors.ts';
import { bareHost, parseUrl, type UrlRefusal } from './url-rules.ts';

/** Leaves most of the connect timeout for connecting. */
export const RESOLVE_MS = 2_000;

/**
 * Makes `Sender.checkUrl`. Behind an egress proxy, names are not resolved: the proxy resolves them, and judges the
 * address.
 */
export function createUrlCheck(
  guard: AddressGuard,
  isProxied: boolean,
): (url: string) => Promise<UrlRefusal | undefined> {
  return async (text) => {
    const read = parseUrl(text);
    if ('refusal' in read) {
      return read.refusal;
    }
    try {
      guard.vetUnresolved(bareHost(read.url));
      if (!isProxied) {
        await guard.vet(bareHost(read.url), RESOLVE_MS);
      }
      return undefined;
    } catch (error) {
      return error instanceof AttemptFailure && error.kind === 'forbidden_address' ? 'forbidden_address' : undefined;
    }
  };
}
