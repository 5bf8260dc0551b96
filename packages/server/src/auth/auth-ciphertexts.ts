import type { EncryptedColumn } from '../database/index.ts';
import { ARTIFACT_PURPOSE, contextOfArtifact } from './oauth/provider/sealed-payload.ts';
import { SECRET_PURPOSE } from './two-factor/spend-proof.ts';

/**
 * What this room keeps encrypted under the master key. The answers kept for refresh tokens are not among it: they are
 * encrypted under the token that got them, which is kept nowhere.
 */
export const AUTH_CIPHERTEXTS: readonly EncryptedColumn[] = [
  {
    table: 'two_factor_secrets',
    column: 'secret',
    key: [['user_id', 'text']],
    purpose: SECRET_PURPOSE,
    contextOf: ([userId]) => String(userId),
  },
  {
    table: 'oauth_artifacts',
    column: 'payload',
    key: [
      ['model', 'text'],
      ['id_hash', 'bytea'],
    ],
    purpose: ARTIFACT_PURPOSE,
    contextOf: ([model, idHash]) => contextOfArtifact(String(model), Buffer.from(idHash ?? '')),
  },
];
