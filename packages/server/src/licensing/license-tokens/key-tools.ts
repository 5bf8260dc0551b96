import type { SigningKeys } from './signing-keys.ts';

/** What publishing keys depends on. */
export interface KeyTools {
  signingKeys: SigningKeys;
  settings: { baseUrl: string; licenseAudience: string };
}
