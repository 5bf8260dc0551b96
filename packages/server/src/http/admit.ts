import type { IncomingHttpHeaders } from 'node:http';
import { isoTime } from '../clock/index.ts';
import { type Access, requireAccess, twoFactorRequired } from './access.ts';
import { type Credential, readCredential, type SessionCookies } from './browser/index.ts';
import { count, type Gatekeeper } from './count.ts';
import { type ApiError, httpError, notFound } from './errors.ts';
import { type Exchange, rateLimited } from './exchange.ts';
import type { Principal, TokenOutcome, TokenResolver, UncheckedToken } from './principal.ts';
import { ResourceCount } from './resource-count.ts';
import type { Route } from './route.ts';

/** A principal that was recalled, and the token to be checked. */
type RecalledAdmission = Required<Pick<Admission, 'principal' | 'token'>>;

/** The admitted caller; anonymous on a public route. */
export interface Admission {
  principal?: Principal;
  token?: UncheckedToken;
  /** For a long-running response: checks whether the request would still be admitted now. Throws the refusal. */
  confirm?(): Promise<void>;
}

/**
 * Admits a request or throws: checks the token, the rate limit and the permission. The order matters: a request is
 * counted before it is refused for any other reason, and a caller with a valid token is counted by user, not by
 * address.
 */
export async function admit(
  gate: Gatekeeper & { cookies: SessionCookies },
  exchange: Exchange,
  route: Route,
  params: Readonly<Record<string, string>>,
  rawBody: Buffer | undefined,
): Promise<Admission> {
  const { headers } = exchange.request;
  const isLookedUp = route.access.kind !== 'public' || route.countsOwner === true;
  const credential = isLookedUp ? readCredential(gate.cookies, exchange.request) : undefined;
  const unchecked = route.checksToken === true ? recall(gate.tokens, route.access, headers, credential) : undefined;
  const outcome = unchecked === undefined ? await identify(gate.tokens, route, headers, params, credential) : undefined;
  const principal = unchecked?.principal ?? (outcome?.kind === 'valid' ? outcome.principal : undefined);
  exchange.principal = principal;
  const counting = countBefore(gate, exchange, { route, params, rawBody }, principal);
  if (counting !== undefined) {
    await counting;
  }
  if (exchange.decision?.allowed === false) {
    throw rateLimited();
  }
  if (route.access.kind === 'public') {
    return {};
  }
  if (principal === undefined) {
    throw refuse(outcome);
  }
  if (unchecked === undefined) {
    requireAccess(route.access, principal, params);
    return route.staysOpen === true
      ? { principal, confirm: () => confirm(gate.tokens, route, headers, params, credential) }
      : { principal };
  }
  return (await requireRecalledAccess(route.access, unchecked, params)) ?? unchecked;
}

/** The parts of a request that it is counted by. */
interface Countable {
  route: Route;
  params: Readonly<Record<string, string>>;
  rawBody: Buffer | undefined;
}

/** Counts a request before anything is refused, under its user or address, or under its resource. */
function countBefore(
  gate: Gatekeeper,
  exchange: Exchange,
  countable: Countable,
  principal: Principal | undefined,
): Promise<void> | undefined {
  const { route, rawBody } = countable;
  const resource = resourceOf(gate, exchange, countable, principal);
  if (resource !== undefined) {
    return resource.begin();
  }
  const isEnforced = gate.limits.enforce && route.neverRefused !== true;
  const account = route.countedAccount?.(rawBody, principal);
  const withFloor = (atLeast: number | undefined) =>
    count(gate, exchange, principal, { limit: route.limit, atLeast, account, isEnforced });
  const floor = principal === undefined ? undefined : route.limitAtLeast?.(principal);
  return floor instanceof Promise ? floor.then(withFloor) : withFloor(floor);
}

function resourceOf(
  gate: Gatekeeper,
  exchange: Exchange,
  { route, params, rawBody }: Countable,
  principal: Principal | undefined,
): ResourceCount | undefined {
  const { countedResource: rule } = route;
  const id = principal === undefined ? undefined : rule?.idOf(rawBody, params);
  if (rule === undefined || principal === undefined || id === undefined) {
    return undefined;
  }
  const resource = new ResourceCount(gate, exchange, rule, principal, id);
  exchange.resource = resource;
  return resource;
}

/**
 * A recalled principal alone never admits a request, and never refuses one either: before a refusal, the token is
 * resolved again.
 */
async function requireRecalledAccess(
  access: Exclude<Access, { kind: 'public' }>,
  unchecked: RecalledAdmission,
  params: Readonly<Record<string, string>>,
): Promise<Admission | undefined> {
  try {
    requireAccess(access, unchecked.principal, params);
    return undefined;
  } catch {
    const principal = await unchecked.token.confirm();
    requireAccess(access, principal, params);
    return { principal };
  }
}

async function confirm(
  tokens: TokenResolver,
  route: Route,
  headers: IncomingHttpHeaders,
  params: Readonly<Record<string, string>>,
  credential: Credential | undefined,
): Promise<void> {
  const outcome = await identify(tokens, route, headers, params, credential);
  if (outcome?.kind !== 'valid') {
    throw refuse(outcome);
  }
  if (route.access.kind !== 'public') {
    requireAccess(route.access, outcome.principal, params);
  }
}

/** A stored response is read only after authorization, so a request with an Idempotency-Key is resolved first. */
function recall(
  tokens: TokenResolver,
  access: Access,
  headers: IncomingHttpHeaders,
  credential: Credential | undefined,
): RecalledAdmission | undefined {
  const isRecalled = credential?.kind === 'token' && headers['idempotency-key'] === undefined;
  const token = isRecalled ? credential.token : undefined;
  const organizationId = organizationOf(headers);
  const recalled = token === undefined ? undefined : tokens.recall(token, organizationId);
  if (token === undefined || recalled === undefined) {
    return undefined;
  }
  const confirm = async () => {
    const outcome = await tokens.resolve(token, organizationId);
    if (outcome.kind !== 'valid') {
      throw refuse(outcome);
    }
    if (access.kind !== 'public') {
      // No route that checks its token has a parameter which would widen what its caller may do.
      requireAccess(access, outcome.principal, {});
    }
    return outcome.principal;
  };
  return { principal: recalled.principal, token: { hash: recalled.tokenHash, confirm } };
}

function identify(
  tokens: TokenResolver,
  route: Route,
  headers: IncomingHttpHeaders,
  params: Readonly<Record<string, string>>,
  credential: Credential | undefined,
): Promise<TokenOutcome> | TokenOutcome | undefined {
  if (credential?.kind !== 'token') {
    return credential === undefined ? undefined : { kind: 'invalid' };
  }
  const { token } = credential;
  const byHeader = organizationOf(headers);
  const byPath = route.organizationParam === undefined ? undefined : params[route.organizationParam];
  if (byPath === undefined || byPath === byHeader) {
    return tokens.resolve(token, byHeader);
  }
  return identifyByPath(tokens, token, byHeader, byPath);
}

/** The role in the path's organization counts; a header that names a foreign one is still refused. */
async function identifyByPath(
  tokens: TokenResolver,
  token: string,
  byHeader: string | undefined,
  byPath: string,
): Promise<TokenOutcome> {
  const first = await tokens.resolve(token, byHeader);
  if (first.kind !== 'valid') {
    return first;
  }
  const second = IDENTIFIER.test(byPath) ? await tokens.resolve(token, byPath) : FOREIGN;
  if (second.kind === 'without-two-factor' || (second.kind === 'valid' && second.principal.acting !== undefined)) {
    // Staff and operator tokens act only for the organization that the header names.
    return byHeader === undefined && first.principal.tokenKind === 'operator' ? first : FOREIGN;
  }
  return second;
}

const FOREIGN = { kind: 'foreign-organization' } as const;

/** Values that can be queried in PostgreSQL: a path may contain any percent-encoded character. */
const IDENTIFIER = /^[\x21-\x7e]{1,128}$/;

/** An empty header names no organization, so a caller who forgot to fill it in does not act in another one. */
function organizationOf(headers: IncomingHttpHeaders): string | undefined {
  const organization = headers['x-organization-id'];
  return typeof organization === 'string' ? organization : undefined;
}

function refuse(outcome: TokenOutcome | undefined): ApiError {
  if (outcome === undefined) {
    return httpError('invalid_token', 'No token was sent. Send one in the header Authorization: Bearer <token>.');
  }
  switch (outcome.kind) {
    case 'expired':
      return httpError('token_expired', 'The token has expired. Refresh it or create a new one.', {
        details: { expired_at: isoTime(outcome.expiredAtMs) },
      });
    case 'foreign-organization':
      return notFound('organization');
    case 'without-two-factor':
      return twoFactorRequired();
    default:
      return httpError(
        'invalid_token',
        'The token is invalid. It may have been revoked, or it belongs to the other environment (production or sandbox).',
      );
  }
}
