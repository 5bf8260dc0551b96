import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { type ApiAnswer, execute, type Member, startTestApp, type TestApp } from '../harness/index.ts';
import { expectedCharge, expectNothingBought } from './billing-expectations.ts';
import { type Finals, isQuiet, must, requireAlways, requireSettled } from './billing-invariants.ts';
import { type Records, readRecords } from './billing-records.ts';
import { requestOf } from './billing-requests.ts';
import type { Manner, Request, Step } from './billing-steps.ts';
import { FragileDatabase, FragileProcess } from './fragile-process.ts';

/** Two processes on one database. The first one fails occasionally. */
export interface TwoProcesses {
  process: FragileProcess;
  fragile: TestApp;
  sturdy: TestApp;
}

export async function openTwoProcesses(): Promise<TwoProcesses> {
  const process = new FragileProcess();
  const sturdy = await startTestApp({ environment: 'sandbox' });
  const fragile = await startTestApp({
    environment: 'sandbox',
    beside: sturdy,
    aroundProvider: (provider) => process.around(provider),
    openDatabase: (...given) => new FragileDatabase(process, ...given),
  });
  await execute(sturdy.database, MORE_PLANS);
  return { process, fragile, sturdy };
}

const JOBS = ['billing.act-on-due-subscriptions', 'billing.check-payments', 'billing.detach-removed-methods'];

/** One organization, whose life is played with everything that can happen to it. */
export class BillingWorld {
  readonly #two: TwoProcesses;
  readonly #member: Member;
  readonly #prefix: string;
  readonly #finals: Finals = new Map();
  /** Responses still awaited from a process that stands still. */
  #awaited: Array<Promise<unknown>> = [];
  readonly #secrets: string[] = [];
  /** The records after the last step. */
  #last: Records | undefined;

  private constructor(two: TwoProcesses, member: Member, prefix: string) {
    this.#two = two;
    this.#member = member;
    this.#prefix = prefix;
  }

  static async create(two: TwoProcesses): Promise<BillingWorld> {
    two.process.recover();
    const prefix = randomBytes(6).toString('hex').toUpperCase();
    await execute(two.sturdy.database, COUPONS, [prefix]);
    return new BillingWorld(two, await two.sturdy.register(), prefix);
  }

  async play(step: Step): Promise<void> {
    const before = this.#last ?? (await this.#read());
    switch (step.kind) {
      case 'ask':
        await this.#ask(step.request, step.manner, before);
        break;
      case 'ask_at_once':
        await Promise.all(step.requests.map((request, place) => this.#send(request, before, place % 2 === 0)));
        break;
      case 'wait':
        await this.#two.sturdy.moveClock(this.#member.organizationId, step.seconds);
        await this.#failing(step.failure, () => this.#runJobs(this.#other));
        await this.#runJobs(this.#two.sturdy);
        break;
      case 'hints':
        await this.#expireClaims();
        await execute(this.#two.sturdy.database, ASK_NOW, [this.#member.organizationId]);
        await Promise.all([this.#other, this.#two.sturdy].map((app) => app.runJob('billing.check-payments')));
        break;
      case 'recover':
        await this.#recover();
        break;
    }
    this.#last = await this.#read();
    requireAlways(this.#last, this.#finals);
  }

  /** Lets everything finish: whatever stood still continues, and time passes until nothing is in progress. */
  async settle(): Promise<void> {
    await this.#recover();
    // A card whose payments take hours pays several due periods one after another.
    for (const hours of [24 * 8, 25, 3, 3, 3, 3, 3, 3, 3, 3]) {
      await this.#two.sturdy.moveClock(this.#member.organizationId, hours * 3_600);
      await this.#runJobs(this.#two.sturdy);
      const records = await this.#read();
      requireAlways(records, this.#finals);
      if (hours === 3 && isQuiet(records)) {
        break;
      }
    }
    requireSettled(await this.#read());
    // The next run must not be delayed by work left over from this one.
    await execute(this.#two.sturdy.database, 'update organizations set clock_offset_ms = 0 where id = $1', [
      this.#member.organizationId,
    ]);
  }

  /** A request to a process that stands still is served by the other one. */
  get #other(): TestApp {
    return this.#two.process.isStalled ? this.#two.sturdy : this.#two.fragile;
  }

  #read(): Promise<Records> {
    return readRecords(this.#two.sturdy.database, this.#member.organizationId, this.#prefix);
  }

  async #ask(request: Request, { repeats, failure }: Manner, before: Records): Promise<void> {
    const key = `key-${randomBytes(8).toString('hex')}`;
    const isQuiet = failure === undefined && repeats === 'no' && this.#awaited.length === 0;
    const expected = isQuiet ? await this.#expect(request, before) : undefined;
    const send = (isFragile: boolean) => this.#send(request, before, isFragile, key);
    const [answer] = await Promise.all([
      this.#failing(failure, () => send(failure !== undefined)),
      ...(repeats === 'at_once' ? [send(false)] : []),
    ]);
    if (repeats === 'afterwards') {
      await this.#expireClaims();
      const again = await send(false);
      const ids = [answer, again].map((each) => (each?.status === 201 ? each.body.data.id : undefined));
      must(ids[0] === undefined || ids[1] === ids[0], `a repeated request gets the same response: ${ids}`);
    }
    if (isQuiet) {
      expectNothingBought(request, answer, before, await this.#read());
      expected?.(answer, await this.#read());
    }
  }

  /** What a change must cost, by the published rule. */
  async #expect(request: Request, before: Records) {
    const sent = requestOf(request, before, this.#prefix, this.#secrets);
    return request.kind === 'change' && sent !== undefined
      ? expectedCharge(request, sent.path.split('/')[3] ?? '', before)
      : undefined;
  }

  async #send(request: Request, before: Records, isFragile: boolean, key?: string): Promise<ApiAnswer | undefined> {
    const sent = requestOf(request, before, this.#prefix, this.#secrets);
    if (sent === undefined) {
      return undefined;
    }
    if (request.kind === 'advance') {
      // Nobody waits for the claims of a process that stands still: they expire in a minute.
      await this.#expireClaims();
    }
    const { api } = isFragile ? this.#other : this.#two.sturdy;
    const headers = key === undefined || sent.method === 'DELETE' ? {} : { 'idempotency-key': key };
    const token = this.#member.accessToken;
    const answer = await api.call(sent.method, sent.path, {
      token,
      headers,
      ...('body' in sent ? { body: sent.body } : {}),
    });
    must(answer.status < 500 || answer.status === 503 || isFragile, `${sent.path}: ${JSON.stringify(answer.body)}`);
    const secret = answer.body?.data?.client_secret ?? answer.body?.data?.pending_change?.client_secret;
    if (typeof secret === 'string') {
      this.#secrets.push(secret);
    }
    return answer;
  }

  /** Does the work while the fragile process may fail. Whatever stands still is awaited later. */
  async #failing<T>(failure: Manner['failure'], work: () => Promise<T>): Promise<T | undefined> {
    if (failure === undefined || this.#two.process.isStalled) {
      return work();
    }
    const stalled = this.#two.process.failAt(failure.kind, failure.after);
    const done = work().catch((error: unknown) => {
      if (!this.#two.process.isDead) {
        throw error;
      }
    });
    const result = await Promise.race([done, stalled.then(() => STALLED)]);
    if (result === STALLED) {
      this.#awaited.push(done);
      return undefined;
    }
    this.#two.process.disarm();
    if (this.#two.process.isDead) {
      this.#two.process.recover();
    }
    return result as T | undefined;
  }

  async #recover(): Promise<void> {
    this.#two.process.recover();
    await Promise.all(this.#awaited);
    this.#awaited = [];
  }

  async #runJobs(app: TestApp): Promise<void> {
    await this.#expireClaims();
    for (const name of JOBS) {
      while (await app.runJob(name)) {
        await setTimeout(0);
      }
    }
  }

  /** As if a claim's minute had passed. */
  async #expireClaims(): Promise<void> {
    await execute(this.#two.sturdy.database, EXPIRE_CLAIMS, [this.#member.organizationId]);
  }
}

const STALLED = Symbol('stalled');

const EXPIRE_CLAIMS = `update payments set claimed_until = clock_timestamp() - interval '1 second'
  where organization_id = $1 and claimed_until is not null`;
const ASK_NOW = `update payments set next_check_at = created_at where organization_id = $1 and settled_at is null`;

const COUPONS = `insert into coupons (id, code, percent_off, amount_off, currency, duration, duration_months, max_redemptions,
    max_redemptions_per_organization, created_at, updated_at)
  select 'coup_0' || substr(md5($1 || code), 1, 25), $1 || code, percent_off, amount_off, currency, duration, months, most, own,
    clock_timestamp(), clock_timestamp()
  from (values ('A', 20, null, null, 'once', null, null, 2), ('B', 33, null, null, 'repeating', 2, null, 3),
    ('C', null, 1000::bigint, 'usd', 'forever', null, null, 100), ('D', 100, null, null, 'once', null, 1, 1))
    as c (code, percent_off, amount_off, currency, duration, months, most, own)`;

const MORE_PLANS = `insert into plans (id, key, name, description, price, currency, interval, contact_sales, tier, product,
    features, license_features, grace_seconds, created_at, updated_at)
  select 'plan_01kagt2m8xf3q9wz5r7e6b4c' || n, k, k, k, more.price, more.currency, 'month', false, more.tier, 'other',
    pro.features, '{"ai_assistance": true}', 3600, clock_timestamp(), clock_timestamp()
  from (values ('1a', 'odd', 333, 'usd', 'enterprise'), ('1b', 'euro', 700, 'eur', 'pro'))
    as more (n, k, price, currency, tier), plans pro where pro.key = 'pro'`;
