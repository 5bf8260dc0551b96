import type { AdapterPayload } from 'oidc-provider';
import type { MasterKey } from '../../security/index.ts';
import type { ArtifactRow } from './artifact-queries.ts';

/**
 * Encrypts what the library keeps, without its identifier: that is the secret itself which the client or the browser
 * holds, and it is kept as a hash alone.
 */
export function encryptPayload(masterKey: MasterKey, model: string, idHash: Buffer, payload: AdapterPayload): Buffer {
  const { jti: _secret, ...rest } = payload;
  return masterKey.encrypt(ARTIFACT_PURPOSE, contextOfArtifact(model, idHash), JSON.stringify(rest));
}

/** The reverse, with the identifier put back where it is known, and with what only the database decides. */
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

/** A row's payload opens in no other row. */
export function contextOfArtifact(model: string, idHash: Buffer): string {
  return `${model} ${idHash.toString('hex')}`;
}
