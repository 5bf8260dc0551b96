import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../clock/index.ts';
import { isoTime } from '../clock/index.ts';
import { newId } from '../ids/index.ts';
import type { Network } from '../networks/index.ts';
import { isWellFormedToken } from '../security/index.ts';
import { bearerToken, tokensInCookie } from './browser/index.ts';
import { count, type Gatekeeper } from './count.ts';
import { HTTP_ERRORS, httpError } from './errors.ts';
import { Exchange, SECURITY_HEADERS } from './exchange.ts';
import type { LeakedTokens } from './leaked-tokens.ts';
import type { AnswerClientError } from './listener/index.ts';
import { requestLogger } from './log-request.ts';
import { clientAddress, clientKey, MemoryLimiter, setRateLimitHeaders } from './rate-limit/index.ts';
import type { RequestLog } from './request-log.ts';

/** The dependencies of answering requests that no route sees. */
export interface UnroutedTools extends Gatekeeper {
  clock: Clock;
  trustedProxies: readonly Network[];
  /** Revokes a token that was sent unencrypted, in the environment that it belongs to. */
  leaks: LeakedTokens;
  environment?: string;
  requestLog?: RequestLog | undefined;
}

/**
 * Refuses a request that came over plain HTTP with 403 `https_required`: no redirect, because that would hide the leak.
 * Anyone on the network may have read a bearer token in it, so it is revoked before the response.
 */
export async function refusePlainHttp(
  tools: UnroutedTools,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const forwarded = request.headers['x-forwarded-for'];
  const address = clientAddress(
    request.socket.remoteAddress ?? '',
    typeof forwarded === 'string' ? forwarded : undefined,
    tools.trustedProxies,
  );
  const exchange = new Exchange(request, response, tools.clock.nowMs(), address);
  const bearer = bearerToken(request.headers.authorization);
  await count(tools, exchange, undefined);
  let isRevoked = false;
  for (const token of [...(bearer === undefined ? [] : [bearer]), ...tokensInCookie(request.headers)]) {
    isRevoked = ((await mayLookUp(tools, exchange, token)) && (await tools.leaks.revoke(token))) || isRevoked;
  }
  const fate = !isRevoked ? '' : ' The token in this request was sent unencrypted and has been revoked.';
  exchange.sendError(
    httpError('https_required', `HTTPS is required. Use an https:// URL.${fate}`, { headers: { connection: 'close' } }),
  );
  requestLogger(tools.requestLog, tools.environment ?? '', tools.clock)(exchange, undefined);
}

/**
 * Whether a token that was sent unencrypted is looked up. Anyone can invent tokens, so the limit per address is the
 * same as for requests without a token, but counted separately, so that ordinary traffic does not hide a leak. Beyond
 * that, only a token that was in use a moment ago is revoked, which needs no look-up. See docs/decisions/0025.
 */
async function mayLookUp(tools: UnroutedTools, exchange: Exchange, token: string): Promise<boolean> {
  if (!isWellFormedToken(token)) {
    return false;
  }
  const subject = { key: `plain-http:${clientKey(exchange.clientAddress)}`, windows: tools.limits.tiers.free };
  const request = { subjects: [subject], nowMs: exchange.arrivedAtMs, enforce: tools.limits.enforce };
  return (await tools.limiter.take(request)).allowed || tools.leaks.isRecalled(token);
}

/**
 * Whether a trusted proxy reports that the client used plain HTTP. Of several proxies, the first entry is from the
 * client's; those behind it often use plain HTTP among themselves.
 */
export function isForwardedInTheClear(request: IncomingMessage, trustsPeer: (address: string) => boolean): boolean {
  const forwarded = request.headers['x-forwarded-proto'];
  const isPlain = typeof forwarded === 'string' && /^\s*http\s*(?:,|$)/i.test(forwarded);
  return isPlain && trustsPeer(request.socket.remoteAddress ?? '');
}

/** Answers input that never became a request: malformed HTTP, oversize headers, a request that took too long. */
export function clientErrorAnswerer(tools: UnroutedTools): AnswerClientError {
  // The response is written immediately, so this process's own limiter replaces a slower shared one.
  const local = new MemoryLimiter({ maxSubjects: 10_000 });
  return (kind, remoteAddress) => {
    const code = CLIENT_ERROR_CODES[kind];
    const nowMs = tools.clock.nowMs();
    const requestId = newId('request');
    const headers: Record<string, string> = {
      'x-request-id': requestId,
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
    };
    for (let place = 0; place < SECURITY_HEADERS.length; place += 2) {
      headers[SECURITY_HEADERS[place] ?? ''] = SECURITY_HEADERS[place + 1] ?? '';
    }
    const subject = { key: `ip:${clientKey(remoteAddress)}`, windows: tools.limits.tiers.free };
    const request = { subjects: [subject], nowMs, enforce: false };
    const taken = tools.limiter.take(request);
    setRateLimitHeaders(taken instanceof Promise ? local.take(request) : taken, (name, value) => {
      headers[name.toLowerCase()] = value;
    });
    const { status, when } = HTTP_ERRORS[code];
    const details = code === 'invalid_request' ? { details: { field: '', reason: 'malformed' } } : {};
    const error = { code, message: code === 'invalid_request' ? 'The request is not valid HTTP.' : when, ...details };
    tools.requestLog?.write(tools.environment ?? '', {
      requestId,
      method: undefined,
      route: undefined,
      status,
      code,
      durationMs: 0,
      organizationId: undefined,
      userId: undefined,
    });
    const body = JSON.stringify({ error, meta: { request_id: requestId, timestamp: isoTime(nowMs) } });
    return { status, headers, body };
  };
}

/** The error code of each kind. */
export const CLIENT_ERROR_CODES = {
  malformed: 'invalid_request',
  'headers-too-large': 'headers_too_large',
  timeout: 'request_timeout',
  'unsupported-version': 'http_version_not_supported',
  'expectation-failed': 'expectation_failed',
} as const;
