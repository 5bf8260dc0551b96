import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { execute, type Member, type TestApp } from '../harness/index.ts';

const HARDWARE = 'hw_0123456789abcdef0123456789abcdef';
export const newHardware = () => `hw_${randomBytes(16).toString('hex')}`;

/** A separate organization, where only this case happens. */
export class Scene {
  readonly admin: Member;
  readonly #app: TestApp;

  constructor(app: TestApp, admin: Member) {
    this.#app = app;
    this.admin = admin;
  }

  /** The types of the events that were written during an action, sorted by name. */
  async eventsDuring(act: () => Promise<unknown>): Promise<string[]> {
    const before = new Set((await this.#events()).map((event) => event.id));
    await act();
    const after = await this.#events();
    return after.filter((event) => !before.has(event.id)).map((event) => event.type);
  }

  #events(): Promise<Array<{ id: string; type: string }>> {
    return execute(this.#app.database, 'select id, type from events where organization_id = $1 order by type, id', [
      this.admin.organizationId,
    ]);
  }

  async take(app: TestApp, licenseKey: string, hardwareId = HARDWARE) {
    const body = { license_key: licenseKey, hardware_id: hardwareId };
    return app.api.post('/v1/licenses/acquire', this.admin.accessToken, body);
  }

  issue(maxSeats: number) {
    return this.#app.issueLicense(this.admin.organizationId, { maxSeats });
  }

  wait(seconds: number) {
    return this.#app.moveClock(this.admin.organizationId, seconds);
  }

  /** A subscription paid with this test card. */
  async subscribe(card = 'pm_card_visa', quantity = 2) {
    const { status, body } = await this.order(this.#app, card, quantity);
    expect([status, body.error]).toEqual([201, undefined]);
    return body.data;
  }

  async order(app: TestApp, card: string, quantity: number, headers: Record<string, string> = {}) {
    const plans: Array<{ id: string; price: number | null }> = (await app.api.get('/v1/plans')).body.data;
    const { id } = plans.find(({ price }) => price !== null && price > 0) ?? { id: '' };
    const body = { plan_id: id, quantity, payment_method_id: card };
    return app.api.post('/v1/subscriptions', this.admin.accessToken, body, headers);
  }

  /** Does something to a subscription. */
  to(subscriptionId: string, method: string, suffix: string, body?: unknown) {
    return (app: TestApp) =>
      app.api.call(method, `/v1/subscriptions/${subscriptionId}${suffix}`, { token: this.admin.accessToken, body });
  }

  at(path: string): string {
    return `/v1/orgs/${this.admin.organizationId}/${path}`;
  }
}
