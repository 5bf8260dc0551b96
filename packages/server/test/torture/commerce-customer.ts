import { randomBytes } from 'node:crypto';
import { type Event, type Invoice, Seathold, type WebhookEventType } from '@seathold/client';
import { Agent, fetch } from 'undici';

/** What a test needs to know of a running service to be its customer. */
export interface ShopAddress {
  baseUrl: string;
  /** The certificate authority that the service created for itself. */
  authority: string;
}

/** The response to a move of the clock. */
type Move = Awaited<ReturnType<Seathold['sandbox']['advanceClock']>>;

/** An organization in the sandbox, through the client library alone, as its developer sees it. */
export class Customer {
  readonly seathold: Seathold;
  readonly name: string;
  readonly #agent: Agent;

  private constructor(seathold: Seathold, name: string, agent: Agent) {
    this.seathold = seathold;
    this.name = name;
    this.#agent = agent;
  }

  static async register(shop: ShopAddress, name: string): Promise<Customer> {
    const agent = new Agent({ connect: { ca: shop.authority, servername: 'localhost' } });
    const open = (token?: string) =>
      new Seathold({
        token,
        baseUrl: shop.baseUrl,
        timeoutMs: 60_000,
        fetch: (url, sent) => fetch(url, { ...sent, dispatcher: agent }),
      });
    const email = `${name}-${randomBytes(4).toString('hex')}@example.com`;
    const login = await open().auth.register({ email, password: 'a long enough password', name });
    return new Customer(open('access_token' in login ? login.access_token : undefined), name, agent);
  }

  /** Moves the clock to the second of a moment. The current fraction of a second stays. */
  async travelTo(timeMs: number): Promise<Move> {
    const { now } = await this.seathold.sandbox.getClock();
    return this.seathold.sandbox.advanceClock({ seconds: Math.ceil((timeMs - Date.parse(now)) / 1_000) });
  }

  /** The id of a plan on sale. */
  async planNamed(name: string): Promise<string> {
    const { data: plans } = await this.seathold.plans.list();
    return plans.find((plan) => plan.name === name)?.id ?? '';
  }

  /** Acquires seats of a license, each on another machine, and sends one heartbeat for each. Returns the sessions. */
  async takeSeats(licenseId: string | null, count: number): Promise<string[]> {
    const { key } = await this.seathold.licenses.get(licenseId ?? '');
    return Promise.all(
      Array.from({ length: count }, async () => {
        const hardwareId = `hw_${randomBytes(16).toString('hex')}`;
        const seat = await this.seathold.licenses.acquire({ license_key: key, hardware_id: hardwareId });
        await this.seathold.licenses.heartbeat({ session_id: seat.session_id });
        return seat.session_id;
      }),
    );
  }

  /** Its invoices in the order in which they were issued. */
  async invoices(): Promise<Invoice[]> {
    return (await this.seathold.invoices.list({ sort: 'number', limit: 100 })).data;
  }

  async lastInvoice(): Promise<Invoice> {
    const last = (await this.invoices()).at(-1);
    if (last === undefined) {
      throw new Error(`${this.name} has no invoice`);
    }
    return last;
  }

  /** All of its events, oldest first. */
  async events(): Promise<Event[]> {
    const all: Event[] = [];
    for await (const event of this.seathold.events.list({ sort: 'created', limit: 100 })) {
      all.push(event);
    }
    return all;
  }

  /** The second of its clock at which the last event of a type happened, in milliseconds since 1970. */
  async secondOfLast(type: WebhookEventType): Promise<number> {
    const [last] = (await this.seathold.events.list({ type, limit: 1 })).data;
    return Math.floor(Date.parse(last?.created ?? '') / 1_000) * 1_000;
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }
}
