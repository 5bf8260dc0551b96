import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { createGuard } from './address-guard.ts';
import type { AttemptResult, OutgoingRequest } from './attempt.ts';
import { createUrlCheck } from './check-url.ts';
import { createResolver } from './resolve-names.ts';
import type { SendOrder, SendReport, SendWorkerData } from './send-worker.ts';
import type { Sender, SenderOptions } from './sender.ts';

/** The thread ended, or hung, during the attempt: it is unknown whether the receiver got it. */
class SendingThreadLost extends Error {}

interface Running {
  beganAtMs: number;
  signal: AbortSignal | undefined;
  resolve: (result: AttemptResult) => void;
  reject: (reason: unknown) => void;
}

/**
 * A sender whose connections are in a separate thread, so that requests do not wait for deliveries. The thread starts
 * with the first attempt. When it ends or hangs, its attempts reject, and the next one starts a new thread.
 */
export class ThreadedSender implements Sender {
  readonly checkUrl: Sender['checkUrl'];
  readonly #options: Omit<SenderOptions, 'resolve'>;
  readonly #running = new Map<number, Running>();
  readonly #groups = new WeakMap<AbortSignal, number>();
  #waiting: Array<{ id: number; group: number | undefined; request: OutgoingRequest }> = [];
  #worker: Worker | undefined;
  #watch: NodeJS.Timeout | undefined;
  #lastId = 0;
  #lastGroup = 0;
  #isClosed = Promise.withResolvers<void>();

  constructor(options: Omit<SenderOptions, 'resolve'>) {
    this.#options = options;
    this.checkUrl = createUrlCheck(
      createGuard(createResolver(), options.allowNetworks),
      options.egressProxy !== undefined,
    );
  }

  async send(request: OutgoingRequest, cutOff?: AbortSignal): Promise<AttemptResult> {
    cutOff?.throwIfAborted();
    this.#lastId += 1;
    const id = this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<AttemptResult>();
    this.#running.set(id, { beganAtMs: performance.now(), signal: cutOff, resolve, reject });
    const waiting = this.#waiting.push({ id, group: cutOff && this.#groupOf(cutOff), request });
    if (waiting === 1) {
      // Attempts of the same turn are sent as one message.
      setImmediate(() => this.#post());
    }
    return promise;
  }

  async close(): Promise<void> {
    if (this.#worker === undefined && this.#waiting.length === 0) {
      return;
    }
    this.#post();
    this.#order({ close: true });
    await this.#isClosed.promise;
    this.#end();
  }

  #post(): void {
    const requests = this.#waiting;
    this.#waiting = [];
    if (requests.length > 0) {
      this.#order({ requests });
    }
  }

  #order(order: SendOrder): void {
    this.#worker ??= this.#start();
    this.#worker.postMessage(order);
  }

  /** Attempts that are cut off together, by one message. */
  #groupOf(signal: AbortSignal): number {
    const known = this.#groups.get(signal);
    if (known !== undefined) {
      return known;
    }
    this.#lastGroup += 1;
    const group = this.#lastGroup;
    this.#groups.set(signal, group);
    signal.addEventListener('abort', () => {
      this.#post();
      this.#order({ cutOffGroup: group });
    });
    return group;
  }

  #start(): Worker {
    const { timeoutMs, allowNetworks, extraCa, egressProxy } = this.#options;
    const workerData: SendWorkerData = {
      timeoutMs,
      allowNetworks: allowNetworks.map(({ address, prefixBits }) => ({ address: address.toString(), prefixBits })),
      extraCa,
      egressProxy: egressProxy?.href,
    };
    const cacheFolder = getCompileCacheDir();
    const worker = new Worker(WORKER, {
      workerData,
      // It talks to untrusted receivers, so it gets only these settings. Node.js's compile cache saves it 30 MB.
      env: cacheFolder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(cacheFolder) },
      execArgv: [],
      name: 'webhook-sender',
    });
    worker.on('message', (report: SendReport) => {
      if (worker === this.#worker) {
        this.#hear(report);
      }
    });
    const onLost = (cause: unknown) => {
      if (worker === this.#worker) {
        this.#lose(cause);
      }
    };
    worker.on('error', onLost);
    worker.on('exit', onLost);
    this.#watch = setInterval(() => this.#loseIfHung(), WATCH_EVERY_MS);
    this.#watch.unref();
    return worker;
  }

  #hear(report: SendReport): void {
    if ('outcomes' in report) {
      for (const { id, result } of report.outcomes) {
        this.#settle(id, result);
      }
    } else if ('proxyRefusal' in report) {
      this.#options.onProxyRefusal?.(report.proxyRefusal);
    } else {
      this.#isClosed.resolve();
    }
  }

  #settle(id: number, result: AttemptResult | undefined): void {
    const running = this.#running.get(id);
    this.#running.delete(id);
    if (result === undefined) {
      running?.reject(running.signal?.reason);
    } else {
      running?.resolve(result);
    }
  }

  /** The thread ends each attempt in time, so an overdue one means that it hangs. Attempts are kept in order. */
  #loseIfHung(): void {
    const [oldest] = this.#running.values();
    if (oldest !== undefined && performance.now() - oldest.beganAtMs > this.#options.timeoutMs + HUNG_MS) {
      this.#lose(new Error('the sending thread hangs'));
    }
  }

  #lose(cause: unknown): void {
    this.#end();
    const lost = [...this.#running.values()];
    this.#running.clear();
    this.#waiting = [];
    for (const { reject } of lost) {
      reject(new SendingThreadLost('the sending thread was lost', { cause }));
    }
    this.#isClosed.resolve();
    this.#isClosed = Promise.withResolvers();
  }

  #end(): void {
    clearInterval(this.#watch);
    const worker = this.#worker;
    this.#worker = undefined;
    void worker?.terminate();
  }
}

const WORKER = new URL('./send-worker.ts', import.meta.url);
const WATCH_EVERY_MS = 5_000;
/** More than the delay of a timer on a busy machine. */
const HUNG_MS = 10_000;
