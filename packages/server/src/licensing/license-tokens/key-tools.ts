import type { SigningKeys } from './signing-keys.ts';

/** The dependencies of publishing keys. */
export interface KeyTools {
  signingKeys: SigningKeys;
  settings: { baseUrl: string; licenseAudience: string };
}
