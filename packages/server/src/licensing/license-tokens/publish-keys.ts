import type { LicensingState } from '../state.ts';

/** The key that signs now, in the forms that clients ask for, with what else they check. */
export async function publishedPublicKey(state: LicensingState) {
  const key = await state.signingKeys.active();
  return {
    algorithm: 'RS256' as const,
    key_id: key.id,
    public_key: key.publicKeyPem,
    jwk: key.jwk,
    issuer: state.settings.baseUrl,
    audience: state.settings.licenseAudience,
  };
}

/** A JSON Web Key Set (RFC 7517 §5) of every key that a token in the field may have been signed with. */
export async function publishedKeySet(state: LicensingState) {
  const keys = await state.signingKeys.published();
  return { keys: keys.map((key) => key.jwk) };
}
