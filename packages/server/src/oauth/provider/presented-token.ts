import Provider, { errors } from 'oidc-provider';

/** The code or token that a request came with: what is made from it joins its family. */
export interface PresentedToken {
  model: 'AccessToken' | 'AuthorizationCode' | 'DeviceCode' | 'RefreshToken';
  idHash: Buffer;
  familyHash: Buffer;
}

const presentedTokens = new WeakMap<object, PresentedToken>();

/** Notes what the present request came with. */
export function notePresented(presented: PresentedToken): void {
  if (Provider.ctx !== undefined) {
    presentedTokens.set(Provider.ctx, presented);
  }
}

/** What the present request came with, as far as it was found. */
export function presentedToken(): PresentedToken | undefined {
  return Provider.ctx === undefined ? undefined : presentedTokens.get(Provider.ctx);
}

/** A token is always made from a code or a refresh token; one without would belong to no family, and outlive it. */
export function requirePresentedToken(): PresentedToken {
  const presented = presentedToken();
  if (presented === undefined) {
    throw new Error('a token was made from nothing');
  }
  return presented;
}

/** Of several requests that come at once one succeeds; the others are no replay, and end nothing. */
export function usedAtOnce(): errors.InvalidGrant {
  return new errors.InvalidGrant('used by another request at the same moment');
}
