import type { AdapterPayload } from 'oidc-provider';
import type { MasterKey } from '../../security/index.ts';
import type { ArtifactRow } from './artifact-queries.ts';

/**
 * Encrypts an object of the library, without its identifier, which is the secret held by the client or browser and
 * stored only as a hash.
 */
export function encryptPayload(masterKey: MasterKey, model: string, idHash: Buffer, payload: AdapterPayload): Buffer {
  const { jti: _secret, ...rest } = payload;
  return masterKey.encrypt(ARTIFACT_PURPOSE, contextOfArtifact(model, idHash), JSON.stringify(rest));
}

/** The reverse: restores the identifier if it is known, and adds the fields that only the database decides. */
export function decryptPayload(
  masterKey: MasterKey,
  model: string,
  idHash: Buffer,
  id: string | undefined,
  row: ArtifactRow,
): AdapterPayload {
  const payload: AdapterPayload = JSON.parse(
    masterKey.decrypt(ARTIFACT_PURPOSE, contextOfArtifact(model, idHash), row.payload),
  );
  return {
    ...payload,
    ...(id === undefined ? {} : { jti: id }),
    exp: Math.ceil(row.expires_at.getTime() / 1000),
    ...(row.consumed_at === null ? {} : { consumed: Math.floor(row.consumed_at.getTime() / 1000) }),
  };
}

export const ARTIFACT_PURPOSE = 'oauth-artifact';

/** A payload can only be decrypted in its own row. */
export function contextOfArtifact(model: string, idHash: Buffer): string {
  return `${model} ${idHash.toString('hex')}`;
}
