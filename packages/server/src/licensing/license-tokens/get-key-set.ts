import type { KeyTools } from './key-tools.ts';

/** A JSON Web Key Set (RFC 7517 §5) of every key that may have signed a token still in use. */
export async function getKeySet({ signingKeys }: KeyTools) {
  const keys = await signingKeys.published();
  return { keys: keys.map((key) => key.jwk) };
}
