import Provider, { errors } from 'oidc-provider';

/** The code or token in a request: tokens created from it join its family. */
export interface PresentedToken {
  model: 'AccessToken' | 'AuthorizationCode' | 'DeviceCode' | 'RefreshToken';
  idHash: Buffer;
  familyHash: Buffer;
}

const presentedTokens = new WeakMap<object, PresentedToken>();

/** Records the code or token of the current request. */
export function notePresented(presented: PresentedToken): void {
  if (Provider.ctx !== undefined) {
    presentedTokens.set(Provider.ctx, presented);
  }
}

/** The code or token of the current request, if one was found. */
export function presentedToken(): PresentedToken | undefined {
  return Provider.ctx === undefined ? undefined : presentedTokens.get(Provider.ctx);
}

/** A token is always created from a code or a refresh token; otherwise it would belong to no family, and outlive it. */
export function requirePresentedToken(): PresentedToken {
  const presented = presentedToken();
  if (presented === undefined) {
    throw new Error('a token was created without a code or a refresh token');
  }
  return presented;
}

/** Only one of several concurrent requests succeeds; the others are not a replay, and end nothing. */
export function usedAtOnce(): errors.InvalidGrant {
  return new errors.InvalidGrant('used by another request at the same moment');
}
