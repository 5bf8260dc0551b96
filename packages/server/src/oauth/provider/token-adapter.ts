import Provider, { type Adapter, type AdapterPayload, errors } from 'oidc-provider';
import type { Queries } from '../../database/index.ts';
import { hashToken } from '../../security/index.ts';
import { lockLiveGrant } from '../grants/queries.ts';
import type { OauthTools } from '../oauth-tools.ts';
import {
  findToken,
  insertAccessToken,
  insertToken,
  updateParentExpiry,
  updateTokenConsumed,
} from './artifact-queries.ts';
import { decryptPayload, encryptPayload } from './encrypted-payload.ts';
import { type EndOfFamily, endAccessToken, endFamily } from './end-tokens.ts';
import { REFRESH_TOKEN_SECONDS } from './lifetimes.ts';
import {
  notePresented,
  type PresentedToken,
  presentedToken,
  requirePresentedToken,
  usedAtOnce,
} from './presented-token.ts';
import { waitedMs } from './request-age.ts';
import { originOf } from './request-origin.ts';

/** The models of the library that belong to a grant. */
export type TokenModel = 'AccessToken' | 'AuthorizationCode' | 'RefreshToken';

/**
 * Creates the store of codes and tokens. A token's family is everything created from one code. All of it ends if any
 * part is used twice, while the user's other logins to the same app, which share the grant, stay valid.
 */
export function createTokenAdapter(tools: Pick<OauthTools, 'database' | 'masterKey'>, model: TokenModel): Adapter {
  const { database, masterKey } = tools;
  return {
    upsert: (id, payload, ttlSeconds = 1) => writeToken(tools, model, id, payload, ttlSeconds),
    async find(id) {
      const idHash = hashToken(id);
      const row = await findToken(database, { model, idHash, waitedMs: Math.ceil(waitedMs(Provider.ctx?.req)) });
      if (row?.uid_hash === undefined || row.uid_hash === null) {
        return undefined;
      }
      if (row.is_just_consumed && Provider.ctx?.oidc.route === 'token') {
        throw usedAtOnce();
      }
      notePresented({ model, idHash, familyHash: row.uid_hash });
      return decryptPayload(masterKey, model, idHash, id, row);
    },
    async consume(id) {
      if ((await updateTokenConsumed(database, { model, idHash: hashToken(id) })) === 0) {
        throw usedAtOnce();
      }
    },
    async destroy(id) {
      // A refresh token ends with its family, in one transaction: the library requests that at the same time.
      if (model === 'AccessToken') {
        await endAccessToken(database, hashToken(id), originOf(Provider.ctx?.req));
      }
    },
    async revokeByGrantId(grantId) {
      // The library calls this for each model in turn; one of them handles all.
      const presented = presentedToken();
      if (model === 'AccessToken' && presented !== undefined && !isRevocationOfAccessToken(presented)) {
        const family = { grantId, hash: presented.familyHash };
        await endFamily(database, family, endOf(presented), originOf(Provider.ctx?.req));
      }
    },
    findByUid: async () => undefined,
    findByUserCode: async () => undefined,
  };
}

async function writeToken(
  { database, masterKey }: Pick<OauthTools, 'database' | 'masterKey'>,
  model: TokenModel,
  id: string,
  payload: AdapterPayload,
  ttlSeconds: number,
): Promise<void> {
  const idHash = hashToken(id);
  const parent = model === 'AuthorizationCode' ? undefined : requirePresentedToken();
  const sealed = encryptPayload(masterKey, model, idHash, payload);
  await database.transaction(async (tx) => {
    const grant = payload.grantId === undefined ? undefined : await lockLiveGrant(tx, { grantId: payload.grantId });
    const familyHash = parent === undefined ? idHash : await renewParent(tx, parent);
    if (grant === undefined || grant.user_id !== payload.accountId) {
      throw new errors.InvalidGrant('the grant has ended');
    }
    if (familyHash === undefined) {
      // Its family has ended since the request began. The token is returned but not stored, so its first use is
      // refused.
      return;
    }
    const token = { idHash, payload: sealed, grantId: grant.id, userId: grant.user_id, familyHash, ttlSeconds };
    if (model === 'AccessToken') {
      const scopes = (payload.scope ?? '').split(' ').filter((scope) => grant.scopes.includes(scope));
      await insertAccessToken(tx, { ...token, organizationId: grant.organization_id, scopes });
    } else {
      await insertToken(tx, { model, ...token });
    }
  });
}

/** Locks the code or refresh token that the new token is created from; undefined if its family has ended. */
async function renewParent(tx: Queries, { model, idHash }: PresentedToken): Promise<Buffer | undefined> {
  return (await updateParentExpiry(tx, { model, idHash, refreshTtlSeconds: REFRESH_TOKEN_SECONDS }))?.uid_hash;
}

/** Why the library ends a family: the app requested it, or the code or token in the request was used before. */
function endOf({ model }: PresentedToken): EndOfFamily {
  if (Provider.ctx?.oidc.route === 'revocation') {
    return 'revoked_by_app';
  }
  return model === 'RefreshToken' ? 'refresh_token_reused' : 'code_replayed';
}

/** An access token is revoked alone (RFC 7009 section 2.1 leaves that open): its app may get another. */
function isRevocationOfAccessToken(presented: PresentedToken): boolean {
  return presented.model === 'AccessToken' && Provider.ctx?.oidc.route === 'revocation';
}
