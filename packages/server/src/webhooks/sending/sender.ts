import { createSecureContext, getCACertificates } from 'node:tls';
import { TimerQueue } from '../../clock/index.ts';
import type { Network } from '../../networks/index.ts';
import { type AddressGuard, createGuard } from './address-guard.ts';
import { Attempt, type AttemptResult, type AttemptTools, CONNECT_MS, type OutgoingRequest } from './attempt.ts';
import { createUrlCheck, RESOLVE_MS } from './check-url.ts';
import { ConnectionPool } from './connection-pool.ts';
import { dialDirectly } from './dial-directly.ts';
import { dialThroughProxy } from './dial-through-proxy.ts';
import type { Dial } from './handshake.ts';
import { type OnProxyRefusal, throttleReports } from './proxy-refusals.ts';
import { createResolver, type Resolve } from './resolve-names.ts';
import { ParsedUrls, type UrlRefusal } from './url-rules.ts';

export type { AttemptResult, OutgoingRequest } from './attempt.ts';
export type { ProxyRefusal } from './proxy-refusals.ts';
export type { UrlRefusal } from './url-rules.ts';

/** Sends attempts to untrusted receivers, and judges their addresses. */
export interface Sender {
  /**
   * Sends one POST, within the timeout. Only rejects if `cutOff` is aborted, with its reason, unless the receiver has
   * already responded, because a known outcome must not be repeated.
   */
  send(request: OutgoingRequest, cutOff?: AbortSignal): Promise<AttemptResult>;
  /**
   * Why a URL may not be an endpoint's, for the user who registers it; undefined if it may. A name that does not
   * resolve is allowed: this is only advice, and each attempt checks again. Never throws; takes at most 2 s.
   */
  checkUrl(url: string): Promise<UrlRefusal | undefined>;
  /** Closes kept connections, and waits for running attempts; cut them off first. */
  close(): Promise<void>;
}

export interface SenderOptions {
  /** The whole attempt, in milliseconds. */
  timeoutMs: number;
  /** Networks that may be dialed although they are not public. */
  allowNetworks: readonly Network[];
  /** PEM of certificate authorities that are trusted in addition to Node's. */
  extraCa?: string | undefined;
  /** A proxy for all connections, by CONNECT. It has to refuse private addresses itself. */
  egressProxy?: URL | undefined;
  /**
   * Called when that proxy refuses a connection, at most once per minute: receivers or its own settings may be the
   * reason.
   */
  onProxyRefusal?: OnProxyRefusal | undefined;
  /** Finds the addresses of names; tests inject their own. */
  resolve?: Resolve;
}

const POOL_LIMITS = { perOrigin: 200, kept: 500 };

/** Creates a sender; throws if the extra authorities are not PEM. Nothing is dialed before the first attempt. */
export function createSender(options: SenderOptions): Sender {
  const guard = createGuard(options.resolve ?? createResolver(), options.allowNetworks);
  const pool = new ConnectionPool(createDial(options, guard), POOL_LIMITS);
  const tools: AttemptTools = {
    pool,
    urls: new ParsedUrls(),
    timeouts: new TimerQueue(options.timeoutMs),
    connectTimeouts: new TimerQueue(CONNECT_MS),
  };
  const running = new Map<Attempt, Promise<AttemptResult>>();
  const cutOff = createCutOff();
  return {
    send: async (request, signal) => {
      signal?.throwIfAborted();
      const attempt = new Attempt(tools);
      cutOff.add(attempt, signal);
      try {
        const result = attempt.run(request);
        running.set(attempt, result);
        return await result;
      } finally {
        running.delete(attempt);
        cutOff.remove(attempt, signal);
      }
    },
    checkUrl: createUrlCheck(guard, options.egressProxy !== undefined),
    close: async () => {
      pool.close();
      await Promise.allSettled(running.values());
    },
  };
}

/** Cuts attempts off by a shared signal. It has one listener, because one per attempt takes longer than signing. */
function createCutOff() {
  const attemptsOf = new WeakMap<AbortSignal, Set<Attempt>>();
  return {
    add(attempt: Attempt, signal: AbortSignal | undefined): void {
      if (signal === undefined) {
        return;
      }
      const known = attemptsOf.get(signal);
      if (known !== undefined) {
        known.add(attempt);
        return;
      }
      const attempts = new Set([attempt]);
      attemptsOf.set(signal, attempts);
      signal.addEventListener('abort', () => {
        for (const each of attempts) {
          each.cutOff(signal.reason);
        }
      });
    },
    remove(attempt: Attempt, signal: AbortSignal | undefined): void {
      if (signal !== undefined) {
        attemptsOf.get(signal)?.delete(attempt);
      }
    },
  };
}

function createDial(options: SenderOptions, guard: AddressGuard): Dial {
  const { extraCa, egressProxy, timeoutMs } = options;
  // Created once: reading Node's roots for every connection would take longer than the handshake.
  const secureContext = createSecureContext(
    extraCa === undefined ? {} : { ca: [...getCACertificates('default'), extraCa] },
  );
  return egressProxy === undefined
    ? dialDirectly(guard, secureContext, Math.min(RESOLVE_MS, timeoutMs))
    : dialThroughProxy(
        {
          url: egressProxy,
          connectMs: Math.min(CONNECT_MS, timeoutMs),
          onRefusal: throttleReports(options.onProxyRefusal ?? (() => undefined)),
        },
        guard,
        secureContext,
      );
}
