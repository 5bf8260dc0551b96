import type { PaymentProvider } from '../../src/billing/index.ts';
import { Database, type Queries } from '../../src/database/index.ts';

/**
 * How a process fails: it dies, or it stalls and continues when everyone has given up on it, or it gets no response.
 */
export type Failure = 'dies' | 'stalls' | 'gets no response';

/**
 * A process that fails at a step of its work: right before or after a request to the database or the payment provider.
 * The request is executed completely or not at all. An open transaction is lost when the process fails.
 */
export class FragileProcess {
  #failure: Failure | undefined;
  #stepsLeft = 0;
  #isDead = false;
  #resume: (() => void) | undefined;
  #stalled: (() => void) | undefined;

  /** Makes it fail at this step from now on. Returns a promise that resolves when it stalls. */
  failAt(failure: Failure, steps: number): Promise<void> {
    this.#failure = failure;
    this.#stepsLeft = steps;
    return new Promise((resolve) => {
      this.#stalled = resolve;
    });
  }

  /** A new process replaces it, and whatever stalled continues. */
  recover(): void {
    this.#failure = undefined;
    this.#isDead = false;
    this.#resume?.();
    this.#resume = undefined;
  }

  /** It will not fail any more, if it has not yet. */
  disarm(): void {
    this.#failure = undefined;
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  get isStalled(): boolean {
    return this.#resume !== undefined;
  }

  async step(): Promise<void> {
    if (this.#isDead) {
      throw new Error('this process is dead');
    }
    if (this.#failure === undefined || this.#failure === 'gets no response' || this.#count() > 0) {
      return;
    }
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure === 'dies') {
      this.#isDead = true;
      throw new Error('this process died');
    }
    const gone = new Promise<void>((resolve) => {
      this.#resume = resolve;
    });
    this.#stalled?.();
    await gone;
  }

  /** Whether the provider's response is lost this time. */
  losesResponse(): boolean {
    if (this.#failure !== 'gets no response' || this.#count() > 0) {
      return false;
    }
    this.#failure = undefined;
    return true;
  }

  #count(): number {
    this.#stepsLeft -= 1;
    return this.#stepsLeft + 1;
  }

  /** The provider as seen by this process. */
  around(provider: PaymentProvider): PaymentProvider {
    const ask = async <T>(question: () => Promise<T>): Promise<T | { kind: 'unknown'; reason: string }> => {
      const isRequestLost = this.losesResponse();
      if (isRequestLost) {
        return LOSABLE_CALLS;
      }
      await this.step();
      const answer = await question();
      await this.step();
      return this.losesResponse() ? LOSABLE_CALLS : answer;
    };
    return {
      name: provider.name,
      maxAmount: (currency) => provider.maxAmount(currency),
      minAmount: (currency) => provider.minAmount(currency),
      createCustomer: (customer) => ask(() => provider.createCustomer(customer)),
      attachMethod: (method) => ask(() => provider.attachMethod(method)),
      detachMethod: (method) => ask(() => provider.detachMethod(method)),
      prepare: (charge) => ask(() => provider.prepare(charge)),
      confirm: (charge) => ask(() => provider.confirm(charge)),
      lookup: (payment) => ask(() => provider.lookup(payment)),
      cancel: (payment) => ask(() => provider.cancel(payment)),
      findCharges: (sought) => ask(() => provider.findCharges(sought)),
      listCharges: (page) => ask(() => provider.listCharges(page)),
      describeCharge: (payment) => ask(() => provider.describeCharge(payment)),
      parseWebhook: (rawBody, headers) => provider.parseWebhook(rawBody, headers),
    };
  }
}

const LOSABLE_CALLS = { kind: 'unknown', reason: 'no answer came' } as const;

/** The database as seen by a fragile process. */
export class FragileDatabase extends Database {
  readonly #process: FragileProcess;

  constructor(process: FragileProcess, ...given: ConstructorParameters<typeof Database>) {
    super(...given);
    this.#process = process;
  }

  override async execute(...given: Parameters<Database['execute']>) {
    await this.#process.step();
    const result = await super.execute(...given);
    await this.#process.step();
    return result;
  }

  override async transaction<T>(body: (tx: Queries) => Promise<T>): Promise<T> {
    await this.#process.step();
    const result = await super.transaction(body);
    await this.#process.step();
    return result;
  }
}
