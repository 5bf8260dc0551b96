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

/** Sends attempts to receivers that are trusted with nothing, and judges where they may be. */
export interface Sender {
  /**
   * Sends one POST, within the timeout. Never throws but when `cutOff` aborted: then it rejects with its reason, unless
   * the receiver had answered already, because what is known should not be asked for again.
   */
  send(request: OutgoingRequest, cutOff?: AbortSignal): Promise<AttemptResult>;
  /**
   * Says why a URL may not be an endpoint's, for the user who registers it; undefined when it may. A name that does not
   * resolve may: each attempt judges anew, this is only advice. Never throws; takes 2 s at most.
   */
  checkUrl(url: string): Promise<UrlRefusal | undefined>;
  /** Ends the connections that are kept, and waits for the attempts that run; cut them off before. */
  close(): Promise<void>;
}

export interface SenderOptions {
  /** The whole attempt, in milliseconds. */
  timeoutMs: number;
  /** Networks that may be dialled although they are not public. */
  allowNetworks: readonly Network[];
  /** PEM of certificate authorities that are trusted besides Node's. */
  extraCa?: string | undefined;
  /** A proxy that every connection goes through by CONNECT. It has to refuse private addresses itself. */
  egressProxy?: URL | undefined;
  /** Told when that proxy refuses a connection, once a minute at most: receivers and its own settings may be the reason. */
  onProxyRefusal?: OnProxyRefusal | undefined;
  /** Finds the addresses of names; tests hand in their own. */
  resolve?: Resolve;
}

const POOL_LIMITS = { perOrigin: 200, kept: 500 };

/** Opens a sender; throws when the extra authorities are not PEM. Nothing is dialled before the first attempt. */
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

/** Cuts attempts off by the signal that they share. It gets one listener, since one for each attempt takes longer than signing. */
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
  // Made once: reading Node's roots for every connection would take longer than the handshake.
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
