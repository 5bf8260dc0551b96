import { Batcher } from '../../batching/index.ts';
import { DatabaseUnavailable, type Queries } from '../../database/index.ts';
import { type CookiePrefix, isScope, type Principal, type TokenOutcome, type TokenResolver } from '../../http/index.ts';
import { findFirstMembership } from '../../organizations/index.ts';
import { hashToken, isWellFormedToken, TOKEN_PREFIXES } from '../../security/index.ts';
import { actForOrganization } from '../acting/act-for-organization.ts';
import { resolveOperatorToken } from '../operator-tokens/resolve-operator-token.ts';
import { resolvePortalToken } from '../portal-links/resolve-portal-token.ts';
import { type BearerTokenRow, listBearerTokens } from './queries.ts';
import { RecentPrincipals } from './recent-principals.ts';

/** The dependencies of the resolver, including what it calls when an API token is used. */
export interface TokenResolverTools {
  database: Queries;
  apiTokenPrefix: string;
  cookiePrefix: CookiePrefix;
  onApiTokenUsed(organizationId: string, tokenId: string): void;
  onCookieUsed(userId: string, loginId: string): void;
}

/**
 * Creates the resolver of bearer tokens. Look-ups of concurrent requests share one statement; there is no cache, so a revoked
 * token is refused at the next request. What `recall` remembers never gives access by itself.
 */
export function createTokenResolver(tools: TokenResolverTools): Pick<TokenResolver, 'resolve' | 'recall'> {
  const lookUps = new Batcher<Question, BearerTokenRow | undefined>({
    run: (_key, questions) => lookUp(tools.database, questions),
    identityOf,
    maxBatch: 256,
    maxWaiting: 10_000,
    overflow: () => new DatabaseUnavailable('too many tokens are waiting to be looked up'),
    isolates: (error) => !(error instanceof DatabaseUnavailable),
  });
  const memory = new RecentPrincipals();
  const judgeHomeless = async (question: Question, row: BearerTokenRow): Promise<TokenOutcome> => {
    const home = (await findFirstMembership(tools.database, { userId: row.user_id }))?.organization_id;
    return home === undefined
      ? judgeToken(row, undefined)
      : judgeToken(await lookUps.submit('', { ...question, organizationId: home }), home);
  };
  const judge = async (question: Question, row: BearerTokenRow | undefined, organizationId: string | undefined) => {
    // Every request passes through here, so rare cases are handled separately.
    const judged =
      row !== undefined && isHomeless(row, question)
        ? await judgeHomeless(question, row)
        : judgeToken(row, organizationId);
    const outcome =
      judged.kind === 'foreign-organization' ? await judgeStaff(tools.database, row, organizationId) : judged;
    if (outcome.kind === 'valid' && question.token.startsWith(tools.cookiePrefix)) {
      outcome.principal.byCookie = true;
    }
    return outcome;
  };
  const noteUse = (principal: Principal) => {
    if (principal.tokenKind === 'api') {
      tools.onApiTokenUsed(principal.organizationId, principal.tokenSourceId);
    } else if (principal.byCookie === true) {
      tools.onCookieUsed(principal.userId, principal.tokenSourceId);
    }
  };
  return {
    async resolve(token, organizationId) {
      if (token.startsWith(TOKEN_PREFIXES.operator)) {
        return resolveOperatorToken(tools.database, token, organizationId);
      }
      if (token.startsWith(TOKEN_PREFIXES.portalSession)) {
        return resolvePortalToken(tools.database, token, organizationId);
      }
      if (!mayBeToken(token, tools)) {
        return { kind: 'invalid' };
      }
      const question = { token, tokenHash: hashToken(token), organizationId: organizationId ?? null };
      const outcome = await judge(question, await lookUps.submit('', question), organizationId);
      const { tokenHash } = question;
      // Staff who act for an organization are not members of it, but the statements that check tokens require a
      // membership.
      const isMember = outcome.kind === 'valid' && outcome.principal.acting === undefined;
      memory.note(identityOf(question), isMember ? { principal: outcome.principal, tokenHash } : undefined);
      if (outcome.kind === 'valid') {
        noteUse(outcome.principal);
      }
      return outcome;
    },
    recall(token, organizationId) {
      const recalled = memory.recall(identityOf({ token, organizationId: organizationId ?? null }));
      if (recalled !== undefined) {
        noteUse(recalled.principal);
      }
      return recalled;
    },
  };
}

/** Judges a staff request for an organization that the caller is not a member of. */
async function judgeStaff(
  database: Queries,
  row: BearerTokenRow | undefined,
  organizationId: string | undefined,
): Promise<TokenOutcome> {
  if (row === undefined || row.staff_role === null || organizationId === undefined) {
    return { kind: 'foreign-organization' };
  }
  // The role is replaced with the one the caller acts in.
  const principal = createPrincipal(row, organizationId, { role: 'member', tier: 'free', clockOffsetMs: 0 });
  return actForOrganization(database, principal, organizationId);
}

/** A missing header is a different question from an empty one or one with the value "null". */
function identityOf({ token, organizationId }: Omit<Question, 'tokenHash'>): string {
  return organizationId === null ? token : `${token} ${organizationId}`;
}

/**
 * Whether a valid login needs another organization, because its first one was deleted or has removed the user: it
 * continues in the one that they joined first.
 */
function isHomeless(row: BearerTokenRow, { organizationId }: Question): boolean {
  return row.role === null && row.kind === 'session' && organizationId === null && !row.is_revoked && !row.is_expired;
}

/** Judges the row of a token for a request, which may name an organization. */
export function judgeToken(row: BearerTokenRow | undefined, organizationId: string | undefined): TokenOutcome {
  if (row === undefined || row.is_revoked) {
    return { kind: 'invalid' };
  }
  if (row.is_expired && row.expires_at !== null) {
    return { kind: 'expired', expiredAtMs: row.expires_at.getTime() };
  }
  if (organizationId !== undefined && isForeign(row, organizationId)) {
    return { kind: 'foreign-organization' };
  }
  const principal = principalOf(row, organizationId ?? row.home_organization_id);
  // A token is useless to a user who has left its organization.
  return principal === undefined ? { kind: 'invalid' } : { kind: 'valid', principal };
}

/**
 * A login works in every organization that its user belongs to now; when they leave one, the login itself stays valid. Other
 * kinds of token work in their own organization only.
 */
function isForeign(row: BearerTokenRow, organizationId: string): boolean {
  return row.kind === 'session' ? row.role === null : organizationId !== row.home_organization_id;
}

interface Question {
  token: string;
  tokenHash: Buffer;
  organizationId: string | null;
}

/**
 * Garbage, refresh tokens, and API tokens and cookies of the other environment are refused without a database query.
 */
function mayBeToken(token: string, tools: Pick<TokenResolverTools, 'apiTokenPrefix' | 'cookiePrefix'>): boolean {
  const { apiTokenPrefix, cookiePrefix } = tools;
  const prefixes = [TOKEN_PREFIXES.sessionAccess, TOKEN_PREFIXES.oauthAccess, apiTokenPrefix, cookiePrefix];
  return prefixes.some((prefix) => token.startsWith(prefix)) && isWellFormedToken(token);
}

async function lookUp(
  database: Queries,
  questions: readonly Question[],
): Promise<ReadonlyArray<BearerTokenRow | undefined>> {
  const asked = questions.map(({ tokenHash, organizationId }, position) => ({
    position,
    token_hash: tokenHash,
    organization_id: organizationId,
  }));
  const rows = await listBearerTokens(database, { asked });
  const byPosition = new Map(rows.map((row) => [row.position, row]));
  return questions.map((_question, position) => byPosition.get(position));
}

function principalOf(row: BearerTokenRow, organizationId: string): Principal | undefined {
  if (row.role === null || row.tier === null || row.clock_offset_ms === null) {
    return undefined;
  }
  return createPrincipal(row, organizationId, {
    role: row.role,
    tier: row.tier,
    clockOffsetMs: row.clock_offset_ms,
  });
}

function createPrincipal(
  row: BearerTokenRow,
  organizationId: string,
  { role, tier, clockOffsetMs }: Pick<Principal, 'role' | 'tier' | 'clockOffsetMs'>,
): Principal {
  const principal: Principal = {
    userId: row.user_id,
    organizationId,
    role,
    tokenKind: row.kind,
    tokenSourceId: row.source_id,
    scopes: row.scopes === null ? 'all' : row.scopes.filter(isScope),
    tier,
    clockOffsetMs,
  };
  if (row.staff_role !== null) {
    principal.staff = { role: row.staff_role, passedTwoFactor: row.passed_two_factor };
  }
  if (row.is_suspended) {
    principal.isSuspended = true;
  }
  return principal;
}
