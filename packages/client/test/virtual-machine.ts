import { REAL_RUNTIME } from '../src/seats/real-runtime.ts';
import type { Runtime } from '../src/seats/runtime.ts';
import type { FetchRequest, FetchResponse } from '../src/settings.ts';

/** A request waiting for its response. */
export interface PendingRequest {
  readonly url: string;
  readonly request: FetchRequest;
  answer(response: FetchResponse): void;
  fail(error: unknown): void;
}

export type OutputKind = 'request' | 'event' | 'result' | 'offline_result' | 'ended';

interface Output {
  readonly atMs: number;
  readonly what: unknown;
}

interface Timer {
  readonly dueMs: number;
  readonly run: () => void;
}

/** A machine with two clocks that a test moves, and a network whose requests the test answers. */
export class VirtualMachine {
  monoMs = 0;
  /** The time of the service. */
  realMs: number;
  wallErrorMs: number;
  readonly random: number;
  /** What the keeper did and the script has not checked yet. Only outputs of the same kind are ordered. */
  readonly outputs: Record<OutputKind, Output[]> = {
    request: [],
    event: [],
    result: [],
    offline_result: [],
    ended: [],
  };

  pending: PendingRequest | undefined;
  wake: () => void = () => undefined;
  exit: () => Promise<void> = async () => undefined;
  #timers = new Set<Timer>();
  #busy = 0;

  constructor(epochMs: number, random: number, wallErrorMs: number) {
    this.realMs = epochMs;
    this.random = random;
    this.wallErrorMs = wallErrorMs;
  }

  readonly runtime: Runtime = {
    now: () => ({ monoMs: this.monoMs, wallMs: this.realMs + this.wallErrorMs, random: this.random }),
    setTimer: (milliseconds, run) => {
      const timer = { dueMs: this.monoMs + milliseconds, run };
      this.#timers.add(timer);
      return () => this.#timers.delete(timer);
    },
    checkSignature: (...input) => this.#whileBusy(REAL_RUNTIME.checkSignature(...input)),
    onWake: (wake) => {
      this.wake = wake;
      return () => undefined;
    },
    onExit: (exit) => {
      this.exit = exit;
      return () => undefined;
    },
  };

  readonly fetch = (url: string, request: FetchRequest): Promise<FetchResponse> => {
    this.emit('request', describeRequest(url, request));
    return new Promise((resolve, reject) => {
      const pending = { url, request, answer: resolve, fail: reject };
      this.pending = pending;
      request.signal.addEventListener('abort', () => {
        this.pending = this.pending === pending ? undefined : this.pending;
        reject(request.signal.reason);
      });
    });
  };

  emit(kind: OutputKind, what: unknown): void {
    this.outputs[kind].push({ atMs: this.monoMs, what });
  }

  /** Runs everything due until this time, or until there is an output of this kind. */
  async advance(toMs: number, kind?: OutputKind): Promise<void> {
    await this.settle();
    while (kind === undefined || this.outputs[kind].length === 0) {
      const next = [...this.#timers].toSorted((a, b) => a.dueMs - b.dueMs)[0];
      if (next === undefined || next.dueMs > toMs) {
        this.#moveTo(Math.max(toMs, this.monoMs));
        return;
      }
      this.#timers.delete(next);
      this.#moveTo(Math.max(next.dueMs, this.monoMs));
      next.run();
      await this.settle();
    }
  }

  /** Resolves when nothing more happens unless time passes or a request is answered. */
  async settle(): Promise<void> {
    do {
      for (let turn = 0; turn < 10; turn += 1) {
        await new Promise((resolve) => setImmediate(resolve));
      }
    } while (this.#busy > 0);
  }

  /** Time passes, and only the monotonic clock stands still. */
  sleep(seconds: number): void {
    this.realMs += seconds * 1000;
  }

  #moveTo(monoMs: number): void {
    this.realMs += monoMs - this.monoMs;
    this.monoMs = monoMs;
  }

  async #whileBusy<Value>(promise: Promise<Value>): Promise<Value> {
    this.#busy += 1;
    try {
      return await promise;
    } finally {
      this.#busy -= 1;
    }
  }
}

function describeRequest(url: string, { method, headers, body }: FetchRequest): unknown {
  const { authorization } = headers;
  const token = authorization === undefined ? null : authorization.replace(/^Bearer /, '');
  return { method, url, token, ...(body === undefined ? {} : { body: JSON.parse(body) }) };
}
