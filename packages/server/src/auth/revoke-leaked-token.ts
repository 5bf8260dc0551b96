import { type AuditActor, recordAudit } from '../audit/index.ts';
import { Batcher } from '../batching/index.ts';
import { DatabaseUnavailable, type Queries } from '../database/index.ts';
import type { MemberTokenKind } from '../http/index.ts';
import { hashToken, isWellFormedToken, TOKEN_PREFIXES } from '../security/index.ts';
import { findUserById } from '../users/index.ts';
import { endApiToken } from './api-tokens/end-api-token.ts';
import type { AuthTools } from './auth-tools.ts';
import { findTokenSources, type TokenSource } from './leaked-token-queries.ts';
import { endLoginSession } from './login-sessions/end-login-session.ts';
import { revokeLeakedOperatorToken } from './operator-tokens/revoke-leaked-operator-token.ts';
import { deleteLeakedPortalLink } from './portal-links/queries.ts';

type LeakTools = Pick<AuthTools, 'database' | 'log' | 'mailer' | 'apiTokenPrefix' | 'connectedApps'>;

/**
 * Creates the function that revokes a secret that was sent unencrypted and mails its owner. The secret is an API token,
 * or an access or refresh token, which ends its whole login or grant. The function returns whether the token belongs to
 * this environment. It ignores unknown tokens and repetitions. Look-ups of concurrent requests share one statement,
 * because anyone can send forged tokens over plain HTTP.
 */
export function createLeakRevoker(tools: LeakTools): (token: string) => Promise<boolean> {
  const lookUps = new Batcher<Buffer, TokenSource | undefined>({
    // Only the room that owns the grants knows their refresh tokens.
    run: (prefix, hashes) =>
      prefix === TOKEN_PREFIXES.oauthRefresh ? findGrants(tools, hashes) : findTokenSources(tools.database, hashes),
    identityOf: (hash) => hash.toString('latin1'),
    maxBatch: 256,
    maxWaiting: 5_000,
    overflow: () => new DatabaseUnavailable('too many tokens sent over plain HTTP are waiting to be looked up'),
    isolates: () => false,
  });
  return async (token) => {
    const hash = mayBeOurs(token, tools.apiTokenPrefix) ? hashToken(token) : undefined;
    if (hash !== undefined && isOfPortal(token)) {
      return (await deleteLeakedPortalLink(tools.database, { hash })) > 0;
    }
    const prefix = token.startsWith(TOKEN_PREFIXES.oauthRefresh) ? TOKEN_PREFIXES.oauthRefresh : '';
    const source = hash && (await lookUps.submit(prefix, hash));
    if (hash === undefined || source === undefined) {
      return false;
    }
    return source.kind === 'operator' ? revokeLeakedOperatorToken(tools, hash) : revoke(tools, source, source.kind);
  };
}

async function findGrants(
  { database, connectedApps }: LeakTools,
  hashes: readonly Buffer[],
): Promise<ReadonlyArray<TokenSource | undefined>> {
  const grants = await connectedApps.findGrantsByRefreshTokens(database, hashes);
  return grants.map((grant) => grant && { ...grant, kind: 'oauth' });
}

function isOfPortal(token: string): boolean {
  return token.startsWith(TOKEN_PREFIXES.portalLink) || token.startsWith(TOKEN_PREFIXES.portalSession);
}

/** An API token names its environment, so the other one does not need to look it up. */
function mayBeOurs(token: string, apiTokenPrefix: string): boolean {
  const isApiToken = token.startsWith(TOKEN_PREFIXES.apiLive) || token.startsWith(TOKEN_PREFIXES.apiTest);
  return isWellFormedToken(token) && (!isApiToken || token.startsWith(apiTokenPrefix));
}

async function revoke(tools: LeakTools, source: TokenSource, kind: MemberTokenKind): Promise<boolean> {
  const hasEnded = await tools.database.transaction(async (tx) => {
    const ended = await endSource(tx, tools, source, kind);
    if (ended) {
      await recordRevocation(tx, source, kind);
      await notifyOwner(tx, tools.mailer, source, kind);
    }
    return ended;
  });
  if (hasEnded) {
    tools.log.warn({ user_id: source.userId, source_id: source.id }, 'a token that was sent unencrypted was revoked');
  }
  return true;
}

/** Ends what the token belongs to; returns false if it has already ended. */
async function endSource(
  tx: Queries,
  { connectedApps }: LeakTools,
  source: TokenSource,
  kind: MemberTokenKind,
): Promise<boolean> {
  switch (kind) {
    case 'api':
      return endApiToken(tx, source, nobodyIn(source.organizationId), source.id);
    case 'session':
      return endLoginSession(tx, source.userId, source.id);
    case 'oauth':
      return connectedApps.endGrant(tx, source.organizationId, source.id);
  }
}

async function recordRevocation(
  tx: Queries,
  { organizationId, id }: TokenSource,
  kind: MemberTokenKind,
): Promise<void> {
  await recordAudit(tx, nobodyIn(organizationId), {
    action: 'token.revoked_after_leak',
    targetType: WHAT[kind].targetType,
    targetId: id,
  });
}

/** The service itself ends the token: its sender may not be its owner. */
function nobodyIn(organizationId: string): AuditActor {
  return {
    organizationId,
    userId: null,
    credentialKind: 'none',
    credentialId: null,
    requestId: null,
    clientAddress: null,
  };
}

async function notifyOwner(
  tx: Queries,
  mailer: AuthTools['mailer'],
  { userId, id }: TokenSource,
  kind: MemberTokenKind,
): Promise<void> {
  const owner = await findUserById(tx, { userId });
  if (owner === undefined) {
    return;
  }
  await mailer.queue(tx, {
    kind: 'token-leaked',
    recipient: owner.email,
    content: {
      subject: 'One of your tokens was sent unencrypted and revoked',
      paragraphs: [
        'Hello,',
        `${WHAT[kind].name} (${id}) was sent over plain HTTP, where anyone on the network could read it. ${WHAT[kind].consequence}`,
        'Check your programs and settings for URLs that start with http:// and change them to https://.',
      ],
    },
  });
}

const WHAT = {
  api: {
    targetType: 'api_token',
    name: 'Your API token',
    consequence: 'We revoked it. Please create a new one.',
  },
  session: {
    targetType: 'login_session',
    name: 'A token of one of your sessions',
    consequence: 'We ended that session. Please log in again.',
  },
  oauth: {
    targetType: 'oauth_grant',
    name: 'A token of an app that you connected',
    consequence: 'We disconnected the app. If you still trust it, connect it again.',
  },
} as const;
