import type { SigningKeys } from './signing-keys.ts';

interface KeyTools {
  signingKeys: SigningKeys;
  settings: { baseUrl: string; licenseAudience: string };
}

/** The active key in the forms that clients ask for, with the claims that they check. */
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

/** A JSON Web Key Set (RFC 7517 §5) of every key that may have signed a token which is still in use. */
export async function getKeySet({ signingKeys }: KeyTools) {
  const keys = await signingKeys.published();
  return { keys: keys.map((key) => key.jwk) };
}
