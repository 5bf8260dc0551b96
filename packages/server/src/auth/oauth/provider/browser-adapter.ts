import type { Adapter, AdapterPayload } from 'oidc-provider';
import { hashToken } from '../../../security/index.ts';
import type { OauthTools } from '../oauth-tools.ts';
import { deleteArtifact, findArtifact, findArtifactByUid, upsertArtifact } from './artifact-queries.ts';
import { openPayload, sealPayload } from './sealed-payload.ts';

/** Keeps what browsers hold: their logins (Session) and the authorizations under way (Interaction). */
export function createBrowserAdapter(tools: Pick<OauthTools, 'database' | 'masterKey'>, model: string): Adapter {
  const { database, masterKey } = tools;
  return {
    async upsert(id, payload, ttlSeconds = SHORTEST_SECONDS) {
      const idHash = hashToken(id);
      await upsertArtifact(database, {
        model,
        idHash,
        payload: sealPayload(masterKey, model, idHash, payload),
        userId: userOf(model, payload),
        provedAt: (model === 'Session' ? payload.loginTs : payload.result?.login?.ts) ?? null,
        uidHash: model === 'Session' && payload.uid !== undefined ? hashToken(payload.uid) : null,
        ttlSeconds: Math.max(ttlSeconds, SHORTEST_SECONDS),
      });
    },
    async find(id) {
      const idHash = hashToken(id);
      const row = await findArtifact(database, model, idHash);
      return row === undefined ? undefined : openPayload(masterKey, model, idHash, id, row);
    },
    async findByUid(uid) {
      const row = await findArtifactByUid(database, model, hashToken(uid));
      return row === undefined ? undefined : openPayload(masterKey, model, row.id_hash, undefined, row);
    },
    destroy: (id) => deleteArtifact(database, model, hashToken(id)),
    findByUserCode: async () => undefined,
    consume: async () => undefined,
    revokeByGrantId: async () => undefined,
  };
}

/** Something about to end is written for a moment all the same. */
const SHORTEST_SECONDS = 1;

/** Whose it is, so that it ends when all of the user's logins do: also a login that was proved and not yet gone on with. */
function userOf(model: string, payload: AdapterPayload): string | null {
  const owner =
    model === 'Session' ? payload.accountId : (payload.result?.login?.accountId ?? payload.session?.accountId);
  return owner ?? null;
}
