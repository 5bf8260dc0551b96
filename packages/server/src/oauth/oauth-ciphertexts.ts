import { defineEncryptedColumn, type EncryptedColumn } from '../database/index.ts';
import { ARTIFACT_PURPOSE, contextOfArtifact } from './provider/encrypted-payload.ts';

/** The columns of this room that are encrypted under the master key. */
export const OAUTH_CIPHERTEXTS: readonly EncryptedColumn[] = [
  defineEncryptedColumn({
    table: 'oauth_artifacts',
    column: 'payload',
    key: [
      ['model', 'text'],
      ['id_hash', 'bytea'],
    ],
    purpose: ARTIFACT_PURPOSE,
    contextOf: ([model, idHash]) => contextOfArtifact(String(model), Buffer.from(idHash ?? '')),
  }),
];
