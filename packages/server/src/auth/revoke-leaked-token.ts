import { type AuditActor, recordAudit } from '../audit/index.ts';
import { Batcher } from '../batching/index.ts';
import { DatabaseUnavailable, type Queries } from '../database/index.ts';
import type { MemberTokenKind } from '../http/index.ts';
import { hashToken, isWellFormedToken, TOKEN_PREFIXES } from '../security/index.ts';
import { findUserById } from '../users/index.ts';
import { endApiToken } from './api-tokens/end-api-token.ts';
import type { AuthDeps } from './auth-tools.ts';
import { findTokenSources, type TokenSource } from './leaked-token-queries.ts';
import { endLoginSession } from './login-sessions/end-login-session.ts';
import { endGrant } from './oauth-grants/end-grants.ts';
import { revokeLeakedOperatorToken } from './operator-tokens/revoke-leaked-operator-token.ts';

type LeakDeps = Pick<AuthDeps, 'database' | 'log' | 'mailer' | 'apiTokenPrefix'>;

/**
 * Makes the function that revokes a secret that was sent unencrypted and mails its owner. The secret is an API token, or an
 * access or refresh token, which ends its whole login or grant. The function answers whether the token belongs to this
 * environment. It ignores unknown tokens and repetitions. Look-ups of concurrent requests share one statement, because anybody
 * can send forged tokens over plain HTTP.
 */
export function createLeakRevoker(deps: LeakDeps): (token: string) => Promise<boolean> {
  const lookUps = new Batcher<Buffer, TokenSource | undefined>({
    run: (_key, hashes) => findTokenSources(deps.database, hashes),
    identityOf: (hash) => hash.toString('latin1'),
    maxBatch: 256,
    maxWaiting: 5_000,
    overflow: () => new DatabaseUnavailable('too many tokens sent over plain HTTP are waiting to be looked up'),
    isolates: () => false,
  });
  return async (token) => {
    const hash = mayBeOurs(token, deps.apiTokenPrefix) ? hashToken(token) : undefined;
    const source = hash && (await lookUps.submit('', hash));
    if (hash === undefined || source === undefined) {
      return false;
    }
    return source.kind === 'operator' ? revokeLeakedOperatorToken(deps, hash) : revoke(deps, source, source.kind);
  };
}

/** An API token names its environment, so the other one need not be asked. */
function mayBeOurs(token: string, apiTokenPrefix: string): boolean {
  const isApiToken = token.startsWith(TOKEN_PREFIXES.apiLive) || token.startsWith(TOKEN_PREFIXES.apiTest);
  return isWellFormedToken(token) && (!isApiToken || token.startsWith(apiTokenPrefix));
}

async function revoke(deps: LeakDeps, source: TokenSource, kind: MemberTokenKind): Promise<boolean> {
  const hasEnded = await deps.database.transaction(async (tx) => {
    const ended = await endSource(tx, source, kind);
    if (ended) {
      await recordRevocation(tx, source, kind);
      await tellOwner(tx, deps.mailer, source, kind);
    }
    return ended;
  });
  if (hasEnded) {
    deps.log.warn({ user_id: source.userId, source_id: source.id }, 'a token that was seen in the clear was revoked');
  }
  return true;
}

/** Ends what the token belongs to; answers false when it is over already. */
async function endSource(tx: Queries, source: TokenSource, kind: MemberTokenKind): Promise<boolean> {
  switch (kind) {
    case 'api':
      return endApiToken(tx, source, nobodyIn(source.organizationId), source.id);
    case 'session':
      return endLoginSession(tx, source.userId, source.id);
    case 'oauth':
      return endGrant(tx, source.organizationId, source.id);
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

/** The service itself ends the token: whoever sent it need not be its owner. */
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

async function tellOwner(
  tx: Queries,
  mailer: AuthDeps['mailer'],
  { userId, id }: TokenSource,
  kind: MemberTokenKind,
): Promise<void> {
  const owner = await findUserById(tx, userId);
  if (owner === undefined) {
    return;
  }
  await mailer.queue(tx, {
    kind: 'token-leaked',
    recipient: owner.email,
    content: {
      subject: 'A token of yours was sent in the clear and revoked',
      paragraphs: [
        'Hello,',
        `somebody sent ${WHAT[kind].name} (${id}) over plain HTTP, where everybody on the way could read it. ${WHAT[kind].consequence}`,
        'Look for an address that begins with http:// in your programs and settings, and make it https://.',
      ],
    },
  });
}

const WHAT = {
  api: {
    targetType: 'api_token',
    name: 'your API token',
    consequence: 'It was revoked at once; make another one.',
  },
  session: {
    targetType: 'login_session',
    name: 'a token of one of your logins',
    consequence: 'That login was ended at once; log in again.',
  },
  oauth: {
    targetType: 'oauth_grant',
    name: 'a token of an app that acts for you',
    consequence: 'All that the app may do for you was ended at once; allow it again if you trust it still.',
  },
} as const;
