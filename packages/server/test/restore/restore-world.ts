import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { PaymentProvider } from '../../src/billing/index.ts';
import { loadConfig } from '../../src/config/index.ts';
import type { Installation } from '../../src/operator/connect-installation.ts';
import { operatorReconcilePayments } from '../../src/operator/manage-payments.ts';
import { execute, type Member, type TestOptions } from '../harness/index.ts';
import { Shop } from '../harness/shop.ts';
import { type StripeDouble, startStripeDouble } from '../stripe-double/index.ts';

const DAY_SECONDS = 86_400;
const WEBHOOK = '/v1/providers/stripe/webhook';

/**
 * A production service that charges through a Stripe double, and whose database goes back to a backup while Stripe
 * remembers everything. The clocks of the organizations and of Stripe move together.
 */
export class RestoreWorld {
  readonly double: StripeDouble;
  #shop: Shop;
  readonly settings: Readonly<Record<string, string>>;
  #backupUrl = '';
  #databases = 0;
  /** Inserted between the service and Stripe when the service is next opened. */
  aroundProvider: ((provider: PaymentProvider) => PaymentProvider) | undefined;

  private constructor(double: StripeDouble, shop: Shop, settings: Readonly<Record<string, string>>) {
    this.double = double;
    this.#shop = shop;
    this.settings = settings;
  }

  static async start(settings: Readonly<Record<string, string>> = {}): Promise<RestoreWorld> {
    const double = await startStripeDouble();
    const all = { ...double.settings, ...settings };
    return new RestoreWorld(double, await Shop.start({ environment: 'production', settings: all }), all);
  }

  get shop(): Shop {
    return this.#shop;
  }

  /** Makes the backup that `restore` returns to, while the service is stopped. */
  async backup(): Promise<void> {
    const { databaseUrl } = this.#shop.app;
    await this.#reopenOn(databaseUrl, async () => {
      this.#backupUrl = await this.#copy(databaseUrl);
    });
  }

  /** Goes back to the backup. What happened since is lost here, but Stripe remembers it. */
  async restore(): Promise<void> {
    await this.#reopenOn(await this.#copy(this.#backupUrl), async () => undefined);
  }

  /** Continues with a database that was restored elsewhere. */
  async restoreFrom(databaseUrl: string): Promise<void> {
    await this.#reopenOn(databaseUrl, async () => undefined);
  }

  /** Moves everything some days ahead, and does everything that became due. */
  async travel(days: number, ...members: readonly Member[]): Promise<void> {
    this.double.advance(days * DAY_SECONDS);
    await this.moveClocks(days, ...members);
  }

  /** Moves the organizations' clocks to where they were before the restore. Stripe's is still there. */
  async moveClocks(days: number, ...members: readonly Member[]): Promise<void> {
    for (const { organizationId } of members) {
      await this.shop.app.moveClock(organizationId, days * DAY_SECONDS);
    }
    await this.shop.app.runJobs();
  }

  /** Resends every event that Stripe ever had, from the first. Returns the response statuses. */
  async redeliver(): Promise<number[]> {
    const target = { url: this.shop.app.api.baseUrl + WEBHOOK, secret: this.double.webhookSecret };
    const statuses: number[] = [];
    for (const event of this.double.events) {
      statuses.push(await this.double.send(event, target));
    }
    return statuses;
  }

  /** The amounts that an organization paid, charge by charge, in order. */
  async paidBy({ organizationId }: Member): Promise<number[]> {
    return this.double.charges
      .filter((charge) => charge.metadata.organization_id === organizationId)
      .map((charge) => charge.amount);
  }

  /** Payments at the provider that nothing explains. */
  orphans(): Promise<
    Array<{ provider_ref: string; status: string; reason: string | null; organization_id: string | null }>
  > {
    return execute(
      this.shop.app.database,
      'select provider_ref, status, reason, organization_id from orphaned_payments order by created_at, id',
    );
  }

  /** Runs the command `seathold payments reconcile` on the service's database. */
  async reconcile(since?: string) {
    return operatorReconcilePayments(this.installation(), 'production', since);
  }

  /** The service's data, as the operator's commands reach it. */
  installation(): Installation {
    const { databaseUrl, database, masterKey } = this.shop.app;
    const environment = {
      ...this.settings,
      DATABASE_URL: databaseUrl,
      SANDBOX_DATABASE_URL: `${databaseUrl}_sandbox`,
    };
    const { config, problems } = loadConfig(environment);
    if (config === undefined) {
      throw new Error(JSON.stringify(problems));
    }
    return { config, database, masterKey, close: async () => undefined };
  }

  /** Makes the next run of the job review awaited payments again. */
  async makeReviewDue(): Promise<void> {
    const text = "update orphaned_payments set review_at = clock_timestamp() - interval '1 s' where status = 'awaited'";
    await execute(this.shop.app.database, text);
  }

  async credit({ organizationId }: Member): Promise<number> {
    const [row] = await execute<{ sum: number }>(
      this.shop.app.database,
      'select coalesce(sum(balance), 0)::int as sum from billing_credits where organization_id = $1',
      [organizationId],
    );
    return row?.sum ?? 0;
  }

  async close(): Promise<void> {
    await this.shop.close();
    await this.double.close();
  }

  async #reopenOn(databaseUrl: string, between: () => Promise<void>): Promise<void> {
    const { app: test } = this.#shop;
    await test.close();
    await between();
    const options: TestOptions = {
      environment: 'production',
      settings: this.settings,
      beside: { ...test, databaseUrl },
      ...(this.aroundProvider === undefined ? {} : { aroundProvider: this.aroundProvider }),
    };
    this.#shop = await Shop.start(options);
  }

  async #copy(databaseUrl: string): Promise<string> {
    this.#databases += 1;
    const name = `restored_${randomBytes(6).toString('hex')}_${this.#databases}`;
    const url = new URL(databaseUrl);
    const source = url.pathname.slice(1);
    url.pathname = '/postgres';
    const client = new pg.Client({ connectionString: url.href });
    await client.connect();
    await client.query(`create database "${name}" template "${source}"`);
    await client.end();
    url.pathname = `/${name}`;
    return url.href;
  }
}
