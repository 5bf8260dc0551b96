import type { Static } from 'typebox';
import { expect } from 'vitest';
import { ensureDefaultCatalogue } from '../../src/billing/catalogue/ensure-default-catalogue.ts';
import type { PaymentMethod } from '../../src/billing/schemas.ts';
import { newId } from '../../src/ids/index.ts';
import { type ApiAnswer, execute, type Member, type TestApp } from './index.ts';

type Method = Static<typeof PaymentMethod>;

export const PATH = '/v1/payment-methods';
/** A well-formed ID that nobody has. */
export const NOBODYS = 'pm_01kagt2m8xf3q9wz5r7e6b4c1n';

export const idsOf = (methods: ReadonlyArray<{ id: string }>) => methods.map((method) => method.id);

/** A sandbox whose organizations attach and delete cards, with what tests check about them. */
export class Wallets {
  readonly app: TestApp;

  private constructor(app: TestApp) {
    this.app = app;
  }

  static async of(app: TestApp): Promise<Wallets> {
    await ensureDefaultCatalogue(app.database);
    return new Wallets(app);
  }

  attach(owner: Member, id: string, more = {}, headers = {}): Promise<ApiAnswer> {
    return this.app.api.post(PATH, owner.accessToken, { payment_method_id: id, ...more }, headers);
  }

  /** The same, but returns the method. */
  async attached(owner: Member, id: string, more = {}): Promise<Method> {
    return (await this.attach(owner, id, more)).body.data;
  }

  remove(owner: Member, id: string): Promise<ApiAnswer> {
    return this.app.api.call('DELETE', `${PATH}/${id}`, { token: owner.accessToken });
  }

  async list(owner: Member, query = ''): Promise<Method[]> {
    return (await this.app.api.get(PATH + query, owner.accessToken)).body.data;
  }

  /** The types of the organization's events, in order. */
  async typesOf({ organizationId }: Member): Promise<string[]> {
    const rows = await execute<{ type: string }>(
      this.app.database,
      'select type from events where organization_id = $1 order by id',
      [organizationId],
    );
    return rows.map((event) => event.type);
  }

  /** The audit log's entries about the organization's methods, in order. */
  auditOf({ organizationId }: Member) {
    return execute<{ action: string; target_id: string; before: unknown; after: unknown }>(
      this.app.database,
      `select action, target_id, before, after from audit_entries
        where organization_id = $1 and target_type = 'payment_method' order by id`,
      [organizationId],
    );
  }

  /** Writes a subscription in this state directly to the database. */
  async plantSubscription({ organizationId }: Member, status: 'incomplete' | 'active' | 'past_due' | 'canceled') {
    const id = newId('subscription');
    await execute(this.app.database, INSERT_SUBSCRIPTION, [organizationId, id, status]);
    return id;
  }

  async removeSubscriptions({ organizationId }: Member): Promise<void> {
    await execute(this.app.database, 'delete from subscriptions where organization_id = $1', [organizationId]);
  }

  /** The provider's own identifier of a method. */
  async refOf(methodId: string): Promise<string> {
    const [row] = await execute<{ ref: string }>(
      this.app.database,
      'select provider_ref as ref from payment_methods where id = $1',
      [methodId],
    );
    return row?.ref ?? expect.fail(`there is no method ${methodId}`);
  }

  /** When the provider detached a card, or null if it is attached. */
  async detachedAt(ref: string): Promise<Date | null> {
    const [card] = await execute<{ detached_at: Date | null }>(
      this.app.database,
      'select detached_at from test_cards where ref = $1',
      [ref],
    );
    return card === undefined ? expect.fail(`there is no card ${ref}`) : card.detached_at;
  }
}

const INSERT_SUBSCRIPTION = `insert into subscriptions (organization_id, id, status, plan_id, quantity, currency, anchor, period_index,
    current_period_start, current_period_end, period_accrued, period_billed, dunning_ends_at, next_attempt_at,
    next_action_at, ended_at, created_at, updated_at)
  select $1, $2, $3, p.id, 1, 'usd', n.t, 0, n.t, n.t + interval '30 days', 0, 0,
    case when $3 = 'past_due' then n.t + interval '21 days' end,
    case when $3 = 'past_due' then n.t + interval '2 days' end,
    case when $3 <> 'canceled' then n.t + interval '2 days' end,
    case when $3 = 'canceled' then n.t end, n.t, n.t
  from (select clock_timestamp() as t) n, (select id from plans where key = 'pro') p`;
