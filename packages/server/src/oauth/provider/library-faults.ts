import type Provider from 'oidc-provider';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { DatabaseUnavailable } from '../../database/index.ts';
import { DEVICE_GRANT } from '../device-grant.ts';
import type { OauthTools } from '../oauth-tools.ts';
import { errorPage } from '../pages/error-page.ts';
import type { PageSite } from '../pages/layout.ts';

type FaultTools = Pick<OauthTools, 'log' | 'site'>;

/** Errors of requests inside the library, which reports them and then sends its own response. */
const faults = new WeakMap<object, unknown>();

/**
 * Answers unexpected errors of the library: with 503 if the database is down, otherwise with 500; never with a stack.
 */
export function answerLibraryFaults({ log, site }: FaultTools, provider: Provider): void {
  provider.on('server_error', (ctx, error) => void faults.set(ctx.req, error));
  // Koa would write to the console about connections closed by the client.
  provider.silent = true;
  provider.use(async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      faults.set(ctx.req, error);
    }
    const fault = faults.get(ctx.req);
    if (fault !== undefined) {
      answerFault(ctx, fault, { log, site });
    } else if (isRefusal(ctx.body)) {
      answer(site, ctx, nameBodyFault(ctx, ctx.body));
    }
  });
  provider.on('grant.error', noteOversize);
  provider.on('revocation.error', noteOversize);
  provider.on('introspection.error', noteOversize);
}

function noteOversize(ctx: FaultyContext, { cause }: Error): void {
  if (cause instanceof Error && cause.message === 'request entity too large') {
    oversize.add(ctx.req);
  }
}

/** Requests whose body the library did not read, because it was too long. */
const oversize = new WeakSet<object>();

/** A body without a declared length is detected while the library reads it, which then reports it as malformed. */
function nameBodyFault(ctx: FaultyContext, refusal: Refusal): Refusal {
  if (!oversize.has(ctx.req)) {
    return refusal;
  }
  ctx.status = 413;
  return { ...refusal, error_description: 'The body must be at most 57344 bytes.' };
}

interface Refusal {
  error: string;
  error_description?: string | undefined;
}

/** For a client that accepts no HTML, even a browser, the library answers without calling `renderLibraryError`. */
function isRefusal(body: unknown): body is Refusal {
  return typeof body === 'object' && body !== null && 'error' in body && typeof body.error === 'string';
}

function answerFault(ctx: FaultyContext, fault: unknown, { log, site }: FaultTools): void {
  const isAway = fault instanceof DatabaseUnavailable;
  log[isAway ? 'warn' : 'error'](
    { err: fault, request_id: ctx.response.get('x-request-id'), method: ctx.method, route: routeOf(ctx) },
    'an OAuth request failed',
  );
  ctx.remove('Location');
  ctx.remove('Set-Cookie');
  ctx.status = isAway ? 503 : 500;
  if (isAway) {
    ctx.set('Retry-After', '2');
  }
  const error = isAway ? 'temporarily_unavailable' : 'server_error';
  const description = isAway
    ? 'The service is temporarily unavailable. Try again in a moment.'
    : 'Something went wrong on our side.';
  answer(site, ctx, { error, error_description: description });
}

/** The endpoint's name in the metrics: anything after its first word identifies an authorization in progress. */
function routeOf(ctx: FaultyContext): string {
  return `${Reflect.get(ctx.req, 'baseUrl')}/${ctx.path.split('/')[1]}`;
}

/** Answers an error that must not be passed to an app: as a page to a browser, as JSON to a program. */
export function renderLibraryError(site: PageSite, ctx: KoaContextWithOIDC, out: Refusal): void {
  answer(site, ctx, out);
}

type FaultyContext = Parameters<Parameters<Provider['use']>[0]>[0];

function answer(site: PageSite, ctx: FaultyContext, out: Refusal): void {
  if (!isPage(ctx.path)) {
    answerProgram(ctx, out);
    return;
  }
  ctx.type = 'html';
  ctx.body = errorPage(site, {
    code: out.error,
    description: out.error_description,
    requestId: ctx.response.get('x-request-id'),
  });
}

/** Whether browsers open the path; the other endpoints are called by programs. */
function isPage(path: string): boolean {
  return /^\/(?:authorize|device)(?:\/|$)/.test(path);
}

function answerProgram(ctx: FaultyContext, { error, error_description: description, ...more }: Refusal): void {
  const isUnproven = description !== undefined && WITHOUT_PROOF.has(description);
  if (isUnproven) {
    ctx.status = 401;
  }
  if (ctx.status === 401 && ctx.response.get('www-authenticate') === '') {
    ctx.set('WWW-Authenticate', 'Basic realm="seathold"');
  }
  ctx.body = {
    ...more,
    error: isUnproven ? 'invalid_client' : nameOf(error, description),
    ...(description === undefined ? {} : { error_description: inPlainAscii(description) }),
  };
}

/** The library reports a request for a disallowed flow as malformed; RFC 6749 section 5.2 has a code for it. */
function nameOf(error: string, description: string | undefined): string {
  return description !== undefined && WITHOUT_FLOW.has(description) ? 'unauthorized_client' : error;
}

const WITHOUT_FLOW: ReadonlySet<string> = new Set([
  'requested grant type is not allowed for this client',
  `${DEVICE_GRANT} is not allowed for this client`,
]);

/** The library reports a missing client as a bad request; RFC 6749 section 5.2 as an unknown client. */
const WITHOUT_PROOF: ReadonlySet<string> = new Set([
  'no client authentication mechanism provided',
  'invalid authorization header value format',
  'client_id and client_secret in the authorization header are not properly encoded',
  'client_secret must be provided in the Authorization header',
]);

/** The characters allowed in a description by RFC 6749 section 5.2; the library quotes the request in it. */
function inPlainAscii(text: string): string {
  return text.replaceAll(/["\\]/g, "'").replaceAll(/[^\x20-\x7e]/g, '?');
}
