import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { startReceiver, type WebhookReceiver } from '../harness/webhook-receiver.ts';
import { Customer } from './commerce-customer.ts';
import { type Endpoint, failsTwiceAt, openEndpointFor } from './commerce-deliveries.ts';
import { launchServer, readAuthority, type ServerProcess, startServer } from './server-process.ts';
import { World } from './world.ts';

/** The monthly price of a seat on the plan Pro, in cents. */
export const SEAT = 2_900;
/** The same for the plan Odd: a percentage of it is not a whole number of cents. */
export const ODD_SEAT = 2_999;
/** The percentage that the coupon THIRD takes off for two months. */
export const PERCENT_OFF = 33;

type Name = 'ada' | 'ben' | 'cleo' | 'dora';

/** A running service that sells, its customers, and the endpoints that receive all of their events. */
export class CommerceWorld {
  readonly receiver: WebhookReceiver;
  readonly server: ServerProcess;
  readonly customers: Readonly<Record<Name, Customer>>;
  /** For every event. */
  readonly endpoints: Readonly<Record<Name, Endpoint>>;
  /** Ada gets events about paid invoices, and Ben about unpaid ones, at endpoints that fail twice with each event. */
  readonly failing: Readonly<Record<'ada' | 'ben', Endpoint>>;
  readonly #world: World;

  private constructor(
    world: World,
    given: Pick<CommerceWorld, 'receiver' | 'server' | 'customers' | 'endpoints' | 'failing'>,
  ) {
    this.#world = world;
    this.receiver = given.receiver;
    this.server = given.server;
    this.customers = given.customers;
    this.endpoints = given.endpoints;
    this.failing = given.failing;
  }

  static async start(): Promise<CommerceWorld> {
    const [world, receiver] = await Promise.all([World.start(), startReceiver()]);
    const settings = await world.settings('server', {
      ...receiver.settings,
      SEATHOLD_HEARTBEAT_INTERVAL: '60',
      SEATHOLD_SANDBOX_MAX_SEATS: '10000',
    });
    const server = await startServer(settings);
    await sellMore(settings, world.folder);
    const authority = await readAuthority(server.dataDir);
    const shop = { baseUrl: `https://127.0.0.1:${settings.SEATHOLD_SANDBOX_PORT}`, authority };
    const enter = async (name: Name) => {
      const customer = await Customer.register(shop, name);
      return [customer, await openEndpointFor(customer, receiver, `/${name}`, ['*'])] as const;
    };
    const [[ada, toAda], [ben, toBen], [cleo, toCleo], [dora, toDora]] = [
      await enter('ada'),
      await enter('ben'),
      await enter('cleo'),
      await enter('dora'),
    ];
    receiver.behave(failsTwiceAt(['/ada-fails', '/ben-fails']));
    const failing = {
      ada: await openEndpointFor(ada, receiver, '/ada-fails', ['invoice.paid']),
      ben: await openEndpointFor(ben, receiver, '/ben-fails', ['invoice.payment_failed']),
    };
    const customers = { ada, ben, cleo, dora };
    const endpoints = { ada: toAda, ben: toBen, cleo: toCleo, dora: toDora };
    return new CommerceWorld(world, { receiver, server, customers, endpoints, failing });
  }

  async close(): Promise<void> {
    await Promise.all(Object.values(this.customers).map((each) => each.close()));
    await this.receiver.close();
    await this.#world.close();
  }
}

const DEFAULT_CATALOGUE = new URL('../../src/billing/catalogue/default-catalogue.yaml', import.meta.url);

/** Like an operator: takes the current catalogue, adds a plan and a coupon, and applies it. */
async function sellMore(settings: Readonly<Record<string, string>>, folder: string): Promise<void> {
  const catalogue = parse(await readFile(DEFAULT_CATALOGUE, 'utf8'));
  const pro = catalogue.plans.find((plan: { key: string }) => plan.key === 'pro');
  catalogue.plans.push({ ...pro, key: 'odd', name: 'Odd', price: ODD_SEAT });
  catalogue.coupons.push({ code: 'THIRD', percent_off: PERCENT_OFF, duration: 'repeating', duration_months: 2 });
  const file = join(folder, 'catalogue.yaml');
  await writeFile(file, stringify(catalogue));
  const applied = launchServer(settings, ['catalog', 'apply', file, '--sandbox']);
  const { code } = await applied.ended;
  if (code !== 0) {
    throw new Error(`the catalogue was not applied: ${applied.output}`);
  }
}
