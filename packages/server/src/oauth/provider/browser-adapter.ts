import Provider, { type Adapter, type AdapterPayload } from 'oidc-provider';
import { newId } from '../../ids/index.ts';
import { hashToken } from '../../security/index.ts';
import type { OauthTools } from '../oauth-tools.ts';
import { deleteArtifact, findArtifact } from './artifact-queries.ts';
import { findArtifactByUid, insertBrowserLogin, updateBrowserLogin, upsertBrowserArtifact } from './browser-queries.ts';
import { decryptPayload, encryptPayload } from './encrypted-payload.ts';
import { originOf } from './request-origin.ts';

type AdapterTools = Pick<OauthTools, 'database' | 'masterKey'>;

/** Creates the store for browsers: their logins (Session) and authorizations in progress (Interaction). */
export function createBrowserAdapter(tools: AdapterTools, model: string): Adapter {
  const { database, masterKey } = tools;
  return {
    async upsert(id, payload, ttlSeconds = SHORTEST_SECONDS) {
      const seconds = Math.max(ttlSeconds, SHORTEST_SECONDS);
      const proof = model === 'Session' ? proofOf(payload) : undefined;
      await (proof === undefined
        ? writeArtifact(tools, model, id, payload, seconds)
        : writeLogin(tools, id, payload, proof, seconds));
    },
    async find(id) {
      const idHash = hashToken(id);
      const row = await findArtifact(database, { model, idHash });
      if (row === undefined) {
        return undefined;
      }
      const payload = decryptPayload(masterKey, model, idHash, id, row);
      noteKnownLogin(model, payload);
      return payload;
    },
    async findByUid(uid) {
      const row = await findArtifactByUid(database, { model, uidHash: hashToken(uid) });
      return row === undefined ? undefined : decryptPayload(masterKey, model, row.id_hash, undefined, row);
    },
    async destroy(id) {
      if (!(model === 'Session' && isRenamedLogin(id))) {
        await deleteArtifact(database, { model, idHash: hashToken(id) });
      }
    },
    findByUserCode: async () => undefined,
    consume: async () => undefined,
    revokeByGrantId: async () => undefined,
  };
}

/** An object about to expire is still kept for a moment. */
const SHORTEST_SECONDS = 1;

/** The user who logged in to a session, and the time. */
interface Proof {
  userId: string;
  /** In seconds since 1970. */
  provedAt: number;
}

function proofOf({ accountId, loginTs }: AdapterPayload): Proof | undefined {
  return accountId === undefined || loginTs === undefined ? undefined : { userId: accountId, provedAt: loginTs };
}

async function writeArtifact(
  { database, masterKey }: AdapterTools,
  model: string,
  id: string,
  payload: AdapterPayload,
  ttlSeconds: number,
): Promise<void> {
  const idHash = hashToken(id);
  const uid = model === 'Session' ? payload.uid : payload.session?.uid;
  await upsertBrowserArtifact(database, {
    model,
    idHash,
    payload: encryptPayload(masterKey, model, idHash, payload),
    userId: model === 'Session' ? null : ownerOfInteraction(payload),
    provedAt: payload.result?.login?.ts ?? null,
    uidHash: uid === undefined ? null : hashToken(uid),
    ttlSeconds,
  });
}

/** A login is inserted only when it has just been proved; a request with a known login updates it, unless it has ended. */
async function writeLogin(
  { database, masterKey }: AdapterTools,
  id: string,
  payload: AdapterPayload,
  proof: Proof,
  ttlSeconds: number,
): Promise<void> {
  const idHash = hashToken(id);
  const sealed = encryptPayload(masterKey, 'Session', idHash, payload);
  const login = { idHash, formerHash: hashToken(formerNameOfLogin() ?? id), payload: sealed, ttlSeconds };
  if (isKnownLogin(proof)) {
    await updateBrowserLogin(database, login);
    return;
  }
  const { clientAddress, userAgent } = originOf(Provider.ctx?.req);
  await insertBrowserLogin(database, {
    ...login,
    ...proof,
    publicId: newId('loginSession'),
    uidHash: hashToken(payload.uid ?? ''),
    clientAddress,
    userAgent,
  });
}

/** The user of an interaction, so that it ends with all of their logins, including one proved a moment ago. */
function ownerOfInteraction({ result, session }: AdapterPayload): string | null {
  return result?.login?.accountId ?? session?.accountId ?? null;
}

/** The logins that requests came with. */
const knownLogins = new WeakMap<object, Proof>();

function noteKnownLogin(model: string, payload: AdapterPayload): void {
  const proof = model === 'Session' ? proofOf(payload) : undefined;
  if (Provider.ctx !== undefined && proof !== undefined) {
    knownLogins.set(Provider.ctx, proof);
  }
}

/** Whether the request came with this login; if not, it was proved by the form since. */
function isKnownLogin({ userId, provedAt }: Proof): boolean {
  const known = Provider.ctx === undefined ? undefined : knownLogins.get(Provider.ctx);
  return known !== undefined && known.userId === userId && known.provedAt === provedAt;
}

/**
 * The library deletes a session before it writes it under another name. A login keeps its row instead, so that one
 * ended by a concurrent request has no row to rename, and stays ended.
 */
function isRenamedLogin(id: string): boolean {
  return Provider.ctx?.oidc.session?.accountId !== undefined && formerNameOfLogin() === id;
}

/** The previous name of this request's session; undefined if it keeps its name. */
function formerNameOfLogin(): string | undefined {
  const session = Provider.ctx?.oidc.session;
  const name: unknown = session === undefined ? undefined : Reflect.get(session, 'oldId');
  return typeof name === 'string' ? name : undefined;
}
