import type { KeyTools } from './key-tools.ts';

/** The active key in the formats that clients need, with the claims that they check. */
export async function getPublicKey({ signingKeys, settings }: KeyTools) {
  const key = await signingKeys.active();
  return {
    algorithm: 'RS256' as const,
    key_id: key.id,
    public_key: key.publicKeyPem,
    jwk: key.jwk,
    issuer: settings.baseUrl,
    audience: settings.licenseAudience,
  };
}
