import { expect } from 'vitest';
import { SeatholdError } from '../src/errors.ts';
import { Seat } from '../src/seats/seat.ts';
import type { SeatEvent } from '../src/seats/seat-events.ts';
import type { SeatOptions } from '../src/seats/seat-options.ts';
import type { FetchResponse } from '../src/settings.ts';
import { VECTORS, type VectorConfig, type VectorStep, withTexts } from './keeper-vectors.ts';
import { type OutputKind, VirtualMachine } from './virtual-machine.ts';

/** Runs one script of the vectors: a program with a seat on a virtual machine. */
export class ScriptRunner {
  readonly #config: VectorConfig;
  readonly #machine: VirtualMachine;
  readonly #controller = new AbortController();
  #stored: string | undefined;
  #seat: Seat | undefined;
  #tokenIndex = 0;

  constructor(script: (typeof VECTORS.scripts)[number]) {
    this.#config = { ...VECTORS.config, ...script.config };
    const { random, wall_ahead_ms: wallAheadMs, license_key, hardware_id } = this.#config;
    this.#machine = new VirtualMachine(Date.parse(VECTORS.epoch), random, wallAheadMs);
    if (script.stored !== undefined) {
      this.#stored = JSON.stringify(withTexts({ version: 1, license_key, hardware_id, ...script.stored }));
    }
  }

  start(): void {
    const { runtime } = this.#machine;
    void Seat.acquire(this.#options(), runtime).then(
      (seat) => {
        this.#seat = seat;
        this.#machine.emit('result', 'granted');
      },
      (error: unknown) => this.#machine.emit('result', codeOf(error)),
    );
  }

  /** Throws if the keeper does anything other than what the step specifies, or at another time. */
  async run(step: VectorStep): Promise<void> {
    const machine = this.#machine;
    const expected = this.#expectedBy(step);
    await machine.advance(step.at, expected?.kind);
    if (expected !== undefined) {
      expect(machine.outputs[expected.kind].shift()).toEqual({ atMs: step.at, what: expected.what });
    } else if (isQuiet(step)) {
      expect(Object.values(machine.outputs).flat()).toEqual([]);
    }
    await this.#act(step);
  }

  #expectedBy({ request, event, ...step }: VectorStep): { kind: OutputKind; what: unknown } | undefined {
    if (request !== undefined) {
      const { method, path, token, body } = request;
      return { kind: 'request', what: { method, url: this.#config.base_url + path, token, ...(body && { body }) } };
    }
    if (event !== undefined) {
      return { kind: 'event', what: event };
    }
    const kinds = ['result', 'offline_result', 'ended'] as const;
    const kind = kinds.find((each) => step[each] !== undefined);
    return kind && { kind, what: step[kind] };
  }

  async #act(step: VectorStep): Promise<void> {
    const machine = this.#machine;
    if (step.answer !== undefined) {
      machine.pending?.answer(this.#respond(step.answer));
    } else if (step.fail === 'connection_failed') {
      machine.pending?.fail(new TypeError('fetch failed'));
    } else if (step.call !== undefined) {
      this.#call(step);
    } else if (step.stored !== undefined) {
      this.#checkStored(step.stored);
    }
    machine.sleep(step.sleep_seconds ?? 0);
    machine.wallErrorMs += (step.wall_jump_seconds ?? 0) * 1000;
    if (step.state !== undefined) {
      expect(this.#seat?.state ?? 'acquiring').toBe(step.state);
    }
    await machine.settle();
  }

  #call({ call, seconds = 0 }: VectorStep): void {
    const machine = this.#machine;
    switch (call) {
      case 'abort':
        this.#controller.abort(new SeatholdError({ code: 'aborted', message: 'Aborted.' }));
        break;
      case 'wake':
        machine.wake();
        break;
      case 'exit':
        void machine.exit();
        break;
      case 'release':
        void this.#seat?.release();
        break;
      case 'take_offline':
        void this.#seat?.takeOffline(seconds).then(
          () => machine.emit('offline_result', 'ok'),
          (error: unknown) => machine.emit('offline_result', codeOf(error)),
        );
        break;
      case undefined:
        break;
    }
  }

  #checkStored(expected: Readonly<Record<string, unknown>>): void {
    const { seat, activation_token } = JSON.parse(this.#stored ?? '{}');
    const found = { license_token: seat?.license_token ?? null, activation_token };
    expect(found).toMatchObject(Object(withTexts(expected)));
  }

  #respond({ status, data, error, raw, headers = {} }: NonNullable<VectorStep['answer']>): FetchResponse {
    const meta = { request_id: 'req_1' };
    const body = raw === undefined ? { ...(data ? { data } : { error }), meta } : raw;
    const text = withTexts(body);
    return new Response(status === 204 ? null : typeof text === 'string' ? text : JSON.stringify(text), {
      status,
      headers: { 'content-type': 'application/json', date: new Date(this.#machine.realMs).toUTCString(), ...headers },
    });
  }

  #options(): SeatOptions {
    const { base_url: baseUrl, issuer, audience, license_key: licenseKey, hardware_id: hardwareId } = this.#config;
    const { metadata, wait_seconds, offline_seconds, timeout_seconds, tokens } = this.#config;
    return {
      baseUrl,
      issuer,
      audience,
      licenseKey,
      hardwareId,
      metadata,
      waitSeconds: wait_seconds,
      offlineSeconds: offline_seconds,
      timeoutSeconds: timeout_seconds,
      token: tokens.length > 1 ? ({ isRefused }) => this.#nextToken(isRefused) : tokens[0],
      signal: this.#controller.signal,
      fetch: this.#machine.fetch,
      onEvent: (event) => this.#machine.emit('event', describeEvent(event)),
      onEnd: () => this.#machine.emit('ended', true),
      store: { load: () => this.#stored, save: (text) => this.#save(text) },
    };
  }

  #save(text: string): void {
    this.#stored = text;
  }

  #nextToken(isRefused: boolean): string {
    this.#tokenIndex += isRefused ? 1 : 0;
    return this.#config.tokens[this.#tokenIndex] ?? '';
  }
}

/** Whether the script must have checked everything that happened before. */
function isQuiet({ answer, fail, stored }: VectorStep): boolean {
  return answer === undefined && fail === undefined && stored === undefined;
}

function codeOf(error: unknown): unknown {
  return error instanceof SeatholdError ? error.code : error;
}

function describeEvent(event: SeatEvent): Readonly<Record<string, unknown>> {
  switch (event.type) {
    case 'granted': {
      const { type, reason, sessionId: session_id, features, expiresAt } = event;
      return { type, reason, session_id, expires_at: expiresAt.toISOString(), features };
    }
    case 'waiting':
    case 'offline':
      return { ...event, expiresAt: undefined, expires_at: event.expiresAt.toISOString() };
    case 'lost':
      return { type: 'lost', reason: event.reason, final: event.isFinal };
  }
}
