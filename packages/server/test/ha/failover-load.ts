import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LoadClient } from './clients.ts';
import { type Member, Tally } from './mixed-load.ts';

/** Acquires and releases seats, and remembers what was acknowledged. */
export class FailoverLoad {
  readonly tally = new Tally();
  /** Acquired seats, by session. */
  readonly acquired = new Set<string>();
  /** Released seats. */
  readonly released = new Set<string>();
  /** The longest time that a request waited for its response. */
  slowestMs = 0;
  /** When a write was last acknowledged, by `performance.now()`. */
  lastWriteAt = 0;
  readonly #client: LoadClient;
  readonly #member: Member;
  readonly #licenseKey: string;
  #isOver = false;
  #loops: Array<Promise<void>> = [];

  constructor(client: LoadClient, member: Member, licenseKey: string) {
    this.#client = client;
    this.#member = member;
    this.#licenseKey = licenseKey;
  }

  begin(loops: number): void {
    this.#loops = Array.from({ length: loops }, () => this.#loop());
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#loops);
  }

  /** Resolves when a request that was sent after this moment has written. */
  async untilNextWrite(withinMs: number): Promise<number> {
    const from = performance.now();
    while (this.lastWriteAt <= from) {
      if (performance.now() - from > withinMs) {
        throw new Error(`no write came through for ${withinMs} ms`);
      }
      await sleep(10);
    }
    return this.lastWriteAt - from;
  }

  async #loop(): Promise<void> {
    while (!this.#isOver) {
      const hardwareId = `hw_${randomBytes(16).toString('hex')}`;
      const acquire = { license_key: this.#licenseKey, hardware_id: hardwareId };
      const sessionId = (await this.#write('/v1/licenses/acquire', acquire, 201))?.session_id;
      await this.#call('GET', '/v1/me');
      if (sessionId === undefined) {
        await sleep(100);
        continue;
      }
      this.acquired.add(sessionId);
      await this.#write('/v1/licenses/heartbeat', { session_id: sessionId }, 200);
      if ((await this.#write('/v1/licenses/release', { session_id: sessionId }, 200)) !== undefined) {
        this.released.add(sessionId);
      }
    }
  }

  async #write(path: string, body: unknown, status: number) {
    const sentAt = performance.now();
    const answer = await this.#call('POST', path, body, status);
    if (answer !== undefined && sentAt > this.lastWriteAt) {
      this.lastWriteAt = performance.now();
    }
    return answer?.body.data;
  }

  async #call(method: 'GET' | 'POST', path: string, body?: unknown, status = 200) {
    const sentAt = performance.now();
    const answer = await this.tally.call(this.#client, { method, path, token: this.#member.token, body }, [status]);
    this.slowestMs = Math.max(this.slowestMs, performance.now() - sentAt);
    return answer;
  }
}
