import type { OauthApp } from '../harness/oauth-world.ts';
import { findCommonHeaderFault, findEnvelopeFault } from './check-answer.ts';
import { findForeignMarkup } from './find-foreign-markup.ts';
import type { RawAnswer, RawRequest } from './raw-connection.ts';

/** What is wrong with a response below the issuer, or undefined. Each kind of address has its own shape. */
export function findOauthFault(
  apps: readonly OauthApp[],
  { method, target }: RawRequest,
  answer: RawAnswer,
): string | undefined {
  if (answer.status >= 500) {
    return 'a failure of the service';
  }
  const fault = findCommonHeaderFault(answer) ?? findLocationFault(apps, answer) ?? findLeak(answer);
  if (fault !== undefined || method === 'HEAD') {
    return fault;
  }
  // Input that never became a request is answered before its path is known.
  if (answer.headers.get('connection')?.toLowerCase() === 'close' && findEnvelopeFault(answer) === undefined) {
    return PARSER_STATUSES.has(answer.status) ? undefined : 'the envelope of the API';
  }
  const [path = ''] = target.split('?');
  if (MACHINES.has(path)) {
    return findMachineFault(answer);
  }
  if (DOCUMENTS.has(path)) {
    return answer.status >= 400 ? findMachineFault(answer) : undefined;
  }
  if (method === 'OPTIONS' && answer.status === 204) {
    return findOptionsFault(answer);
  }
  return PAGES.test(path) ? findPageFault(answer) : findEnvelopeFault(answer);
}

/** The response to OPTIONS on a page shows nothing, and allows scripts of other sites nothing. */
function findOptionsFault({ headers, body }: RawAnswer): string | undefined {
  if (body !== '' || !/^[A-Z]+(, [A-Z]+)*, OPTIONS$/.test(headers.get('allow') ?? '')) {
    return 'OPTIONS answers only what is allowed';
  }
  return headers.has('access-control-allow-origin') ? 'scripts of other sites may read a page' : undefined;
}

const MACHINES = new Set(['/oauth/token', '/oauth/revoke', '/oauth/introspect']);
const DOCUMENTS = new Set([
  '/.well-known/oauth-authorization-server',
  '/.well-known/oauth-authorization-server/oauth',
  '/oauth/assets/style.css',
]);
const PAGES =
  /^\/oauth\/(authorize(\/[^/]+\/?)?|interaction\/[^/]+(\/|\/(login|code|allow|deny|switch-account))?|(forgot|reset)-password|verify-email|accept-invitation)$/;
const PARSER_STATUSES = new Set([400, 408, 417, 431]);

/** RFC 6749 section 5: an object, or on an error the two members. */
function findMachineFault({ status, headers, body }: RawAnswer): string | undefined {
  if (status < 300 && body === '') {
    return undefined;
  }
  if (headers.get('content-type') !== 'application/json; charset=utf-8') {
    return `a machine gets ${headers.get('content-type')}`;
  }
  const said: unknown = JSON.parse(body);
  if (typeof said !== 'object' || said === null) {
    return 'not an object';
  }
  if (status < 300) {
    return 'error' in said ? 'an error with a status of success' : undefined;
  }
  const isError = 'error' in said && typeof said.error === 'string' && /^[a-z_]+$/.test(said.error);
  const isDescribed = 'error_description' in said && typeof said.error_description === 'string';
  // With invalid_scope, the library names the scope.
  const isMore = Object.keys(said).some((name) => !['error', 'error_description', 'scope'].includes(name));
  if (!isError || !isDescribed || isMore) {
    return 'not the error of RFC 6749';
  }
  // Section 5.2: no quotation mark, no backslash, nothing beyond ASCII.
  return /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/.test(String(said.error_description))
    ? undefined
    : 'a description with forbidden characters';
}

/** No script, no frame, and none of the request in the markup. */
function findPageFault({ status, headers, body }: RawAnswer): string | undefined {
  const policy = headers.get('content-security-policy') ?? '';
  if (!policy.startsWith("default-src 'none'; style-src 'self'; form-action 'self'")) {
    return `the policy is ${policy}`;
  }
  if (!policy.includes("frame-ancestors 'none'") || headers.get('x-frame-options') !== 'DENY') {
    return 'it can be framed';
  }
  if (headers.get('referrer-policy') !== 'no-referrer' || headers.get('cache-control') !== 'no-store') {
    return 'it leaves traces';
  }
  if (status >= 300 && status < 400) {
    return undefined;
  }
  if (headers.get('content-type') !== 'text/html; charset=utf-8') {
    return `a page is ${headers.get('content-type')}`;
  }
  const foreign = findForeignMarkup(body);
  return foreign === undefined ? undefined : `foreign markup: ${foreign}`;
}

/** A browser is redirected within the service, or to an address exactly as an app registered it. */
function findLocationFault(apps: readonly OauthApp[], { status, headers }: RawAnswer): string | undefined {
  const location = headers.get('location');
  if (location === undefined) {
    // 304 means that the client already has the document.
    return status >= 300 && status < 400 && status !== 304 ? 'a redirect to nowhere' : undefined;
  }
  const isOwn = /^(https:\/\/api\.test)?\/oauth\/(interaction|authorize)[/?]/.test(location);
  return isOwn || apps.some(({ redirectUri }) => location.startsWith(`${redirectUri}?`))
    ? undefined
    : `a redirect to ${location}`;
}

function findLeak({ body }: RawAnswer): string | undefined {
  const leak = /\bat \S+:\d+|node_modules|\bselect \w+ |insert into|SQLSTATE|oidc-provider|\bkoa\b/i.exec(body);
  return leak === null ? undefined : `it reveals internals: ${leak[0]}`;
}
