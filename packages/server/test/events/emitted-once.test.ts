import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execute, type Member, startTestApp, type TestApp } from '../harness/index.ts';
import { inviteToOrganization, joinOrganization } from '../harness/join-organization.ts';
import { changing, granting, issuing } from './acts.ts';
import { newHardware, Scene } from './scene.ts';
import { suspensionChanges } from './suspension-changes.ts';

/** Two processes on one database. */
let first: TestApp;
let second: TestApp;
beforeAll(async () => {
  first = await startTestApp({ environment: 'sandbox' });
  second = await startTestApp({ environment: 'sandbox', beside: first });
});
afterAll(async () => {
  await second.close();
  await first.close();
});

const DAY = 86_400;
/** Does something in both processes at the same time, and again in one of them. It may be refused, but not fail. */
async function repeatEverywhere(act: (app: TestApp) => Promise<{ status: number } | undefined>): Promise<void> {
  const simultaneous = await Promise.all([act(first), act(second)]);
  for (const answer of [...simultaneous, await act(first)]) {
    expect(answer?.status ?? 200).toBeLessThan(500);
  }
}

const eventsOf = (scene: Scene, act: (app: TestApp) => Promise<{ status: number } | undefined>) =>
  scene.eventsDuring(() => repeatEverywhere(act));

const runJobs = async (app: TestApp) => {
  await app.runJobs();
  return undefined;
};

/** What changes a state only once however often it is done, for every type that the service sends today. */
const STATE_CHANGES: Record<string, (scene: Scene) => Promise<void>> = {
  'license.seat.acquired': async (scene) => {
    const { key } = await scene.issue(3);
    expect(await eventsOf(scene, (app) => scene.take(app, key))).toEqual(['license.seat.acquired']);
  },

  'license.seat.released': async (scene) => {
    const { key } = await scene.issue(3);
    const { session_id } = (await scene.take(first, key)).body.data;
    const release = (app: TestApp) => app.api.post('/v1/licenses/release', scene.admin.accessToken, { session_id });
    expect(await eventsOf(scene, release)).toEqual(['license.seat.released']);
  },

  'license.seat.timeout': async (scene) => {
    const { key } = await scene.issue(1);
    const { session_id } = (await scene.take(first, key)).body.data;
    await scene.wait(300);
    const beat = () => first.api.post('/v1/licenses/heartbeat', scene.admin.accessToken, { session_id });
    expect(await scene.eventsDuring(beat)).toEqual([]);
    expect(await eventsOf(scene, runJobs)).toEqual(['license.seat.timeout']);
    expect(await scene.eventsDuring(beat)).toEqual([]);

    await scene.take(first, key);
    await scene.wait(300);
    // An acquire that needs the seat frees it like the reaper does. Here both do it at the same time.
    const race = () => Promise.all([runJobs(first), scene.take(second, key, newHardware()), runJobs(second)]);
    expect(await scene.eventsDuring(race)).toEqual([
      'license.seat.acquired',
      'license.seat.timeout',
      'license.seats.exhausted',
    ]);
  },

  'license.seats.exhausted': async (scene) => {
    const { key } = await scene.issue(2);
    expect(await scene.eventsDuring(() => scene.take(first, key))).toEqual(['license.seat.acquired']);
    const takeLast = () => repeatEverywhere((app) => scene.take(app, key, newHardware()));
    expect(await scene.eventsDuring(takeLast)).toEqual(['license.seat.acquired', 'license.seats.exhausted']);
    // Neither a refusal nor an acquire by a machine that already has a seat changes anything.
    expect(await scene.eventsDuring(takeLast)).toEqual([]);
    expect(await scene.eventsDuring(() => scene.take(second, key))).toEqual([]);
  },

  'license.seat.refused': async (scene) => {
    const { key } = await scene.issue(1);
    await scene.take(first, key);
    const refuse = () => repeatEverywhere((app) => scene.take(app, key, newHardware()));
    expect(await scene.eventsDuring(refuse)).toEqual([]);
    expect(await eventsOf(scene, runJobs)).toEqual(['license.seat.refused']);
    expect(await eventsOf(scene, runJobs)).toEqual([]);
    await scene.wait(61);
    await refuse();
    expect(await eventsOf(scene, runJobs)).toEqual(['license.seat.refused']);
  },

  'license.created': async (scene) => {
    const issue = () => issuing(scene.admin.organizationId)(first);
    expect(await scene.eventsDuring(issue)).toEqual(['license.created']);
    expect(await eventsOf(scene, runJobs)).toEqual([]);
  },

  'license.updated': async (scene) => {
    const { id } = await scene.issue(1);
    const resize = changing(id, { kind: 'resize', maxSeats: 5 });
    expect(await scene.eventsDuring(() => resize(first))).toEqual(['license.updated']);
    expect(await eventsOf(scene, runJobs)).toEqual([]);
  },

  'license.suspended': async (scene) => {
    const { id } = await scene.issue(1);
    expect(await eventsOf(scene, changing(id, { kind: 'suspend' }))).toEqual(['license.suspended']);
  },

  'license.reinstated': async (scene) => {
    const { id } = await scene.issue(1);
    await changing(id, { kind: 'suspend' })(first);
    expect(await eventsOf(scene, changing(id, { kind: 'reinstate' }))).toEqual(['license.reinstated']);
  },

  'license.revoked': async (scene) => {
    const { id } = await scene.issue(1);
    expect(await eventsOf(scene, changing(id, { kind: 'revoke' }))).toEqual(['license.revoked']);
  },

  'license.expiring': async (scene) => {
    const { id } = await scene.issue(1);
    expect(await eventsOf(scene, runJobs)).toEqual([]);
    await scene.wait(84 * DAY);
    expect(await eventsOf(scene, runJobs)).toEqual(['license.expiring']);
    // A different expiry date is announced again.
    const expiresAt = new Date(Date.now() + 200 * DAY * 1_000).toISOString();
    const extend = () => changing(id, { kind: 'extend', expiresAt })(first);
    expect(await scene.eventsDuring(extend)).toEqual(['license.updated']);
    expect(await eventsOf(scene, runJobs)).toEqual([]);
    await scene.wait(110 * DAY);
    expect(await eventsOf(scene, runJobs)).toEqual(['license.expiring']);
  },

  'license.expired': async (scene) => {
    const { key } = await scene.issue(1);
    await scene.wait(100 * DAY);
    expect(await scene.eventsDuring(() => scene.take(first, key))).toEqual([]);
    expect(await eventsOf(scene, runJobs)).toEqual(['license.expired', 'license.seat.refused']);
  },

  'subscription.created': async (scene) => {
    const key = { 'idempotency-key': 'the same order' };
    const buy = (app: TestApp) => scene.order(app, 'pm_card_visa', 2, key);
    expect(await eventsOf(scene, buy)).toEqual([
      'invoice.created',
      'invoice.paid',
      'payment_method.attached',
      'subscription.created',
    ]);
    expect(await eventsOf(scene, runJobs)).toEqual([]);
  },

  'subscription.updated': async (scene) => {
    const { id } = await scene.subscribe();
    const more = scene.to(id, 'PATCH', '', { quantity: 3 });
    expect(await eventsOf(scene, more)).toEqual(['invoice.created', 'invoice.paid', 'subscription.updated']);
    const fewer = scene.to(id, 'PATCH', '', { quantity: 1 });
    expect(await eventsOf(scene, fewer)).toEqual(['subscription.updated']);
    await scene.to(id, 'POST', '/cancel', {})(first);
    expect(await eventsOf(scene, scene.to(id, 'POST', '/resume'))).toEqual(['subscription.updated']);
    expect(await eventsOf(scene, runJobs)).toEqual([]);
  },

  'subscription.canceled': async (scene) => {
    const { id } = await scene.subscribe();
    const later = scene.to(id, 'POST', '/cancel', {});
    expect(await eventsOf(scene, later)).toEqual(['subscription.canceled']);
    const now = scene.to(id, 'POST', '/cancel', { cancel_immediately: true });
    expect(await eventsOf(scene, now)).toEqual(['subscription.canceled']);
    expect(await eventsOf(scene, runJobs)).toEqual(['license.expired']);
  },

  'subscription.expired': async (scene) => {
    const { id } = await scene.subscribe();
    await scene.to(id, 'POST', '/cancel', {})(first);
    await scene.wait(32 * DAY);
    expect(await eventsOf(scene, runJobs)).toEqual(['license.expired', 'subscription.expired']);
    expect(await eventsOf(scene, runJobs)).toEqual([]);
  },

  'invoice.created': async (scene) => {
    await scene.subscribe();
    await scene.subscribe('pm_card_mastercard');
    await scene.wait(32 * DAY);
    const renewed = ['invoice.created', 'invoice.paid', 'subscription.updated'];
    expect(await eventsOf(scene, runJobs)).toEqual(renewed.flatMap((type) => [type, type]));
    expect(await eventsOf(scene, runJobs)).toEqual([]);
  },

  'invoice.paid': async (scene) => {
    const { client_secret } = await scene.subscribe('pm_card_authenticationRequired');
    const confirm = (app: TestApp) =>
      app.api.post('/v1/sandbox/payments/confirm', scene.admin.accessToken, { client_secret, outcome: 'succeed' });
    const both = () => repeatEverywhere((app) => (app === first ? confirm(app) : runJobs(app)));
    expect(await scene.eventsDuring(both)).toEqual(['invoice.paid', 'subscription.updated']);
    expect(await eventsOf(scene, confirm)).toEqual([]);
  },

  'invoice.payment_failed': async (scene) => {
    await scene.subscribe('pm_card_chargeCustomerFail');
    await scene.wait(32 * DAY);
    expect(await eventsOf(scene, runJobs)).toEqual([
      'invoice.created',
      'invoice.payment_failed',
      // Its next period has begun, and it is past due.
      'subscription.updated',
      'subscription.updated',
    ]);
    expect(await eventsOf(scene, runJobs)).toEqual([]);
    await scene.wait(2 * DAY);
    expect(await eventsOf(scene, runJobs)).toEqual(['invoice.payment_failed']);
  },

  'payment.credited': async (scene) => {
    const { client_secret } = await scene.subscribe('pm_card_authenticationRequired');
    // It was recorded as failed, but the provider collects it anyway.
    await execute(
      first.database,
      `update payments set status = 'canceled', settled_at = clock_timestamp(), next_check_at = null
       where organization_id = $1`,
      [scene.admin.organizationId],
    );
    const confirm = (app: TestApp) =>
      app.api.post('/v1/sandbox/payments/confirm', scene.admin.accessToken, { client_secret, outcome: 'succeed' });
    expect(await eventsOf(scene, confirm)).toEqual(['payment.credited']);
    expect(await eventsOf(scene, runJobs)).toEqual([]);
  },

  'credit.granted': async (scene) => {
    const grant = await granting(first, scene.admin.organizationId);
    expect(await eventsOf(scene, grant)).toEqual(['credit.granted']);
  },
  'payment_method.attached': async (scene) => {
    const attach = (app: TestApp) =>
      app.api.post('/v1/payment-methods', scene.admin.accessToken, { payment_method_id: 'pm_card_visa' });
    expect(await eventsOf(scene, attach)).toEqual(['payment_method.attached']);
    expect(await eventsOf(scene, runJobs)).toEqual([]);
  },

  'payment_method.removed': async (scene) => {
    const card = { payment_method_id: 'pm_card_visa' };
    const { id } = (await first.api.post('/v1/payment-methods', scene.admin.accessToken, card)).body.data;
    const remove = (app: TestApp) =>
      app.api.call('DELETE', `/v1/payment-methods/${id}`, { token: scene.admin.accessToken });
    expect(await eventsOf(scene, remove)).toEqual(['payment_method.removed']);
    expect(await eventsOf(scene, runJobs)).toEqual([]);
  },

  'org.member.invited': async (scene) => {
    const body = { email: `${randomBytes(8).toString('hex')}@example.com`, role: 'member' };
    const invite = (app: TestApp) => app.api.post(scene.at('invitations'), scene.admin.accessToken, body);
    expect(await eventsOf(scene, invite)).toEqual(['org.member.invited']);
    const again = { email: `${randomBytes(8).toString('hex')}@example.com`, role: 'member' };
    const key = { 'idempotency-key': 'the same' };
    const repeat = (app: TestApp) => app.api.post(scene.at('invitations'), scene.admin.accessToken, again, key);
    expect(await eventsOf(scene, repeat)).toEqual(['org.member.invited']);
  },

  'org.member.joined': async (scene) => {
    const guest = await first.register('Grace');
    const token = await inviteToOrganization(first, scene.admin, 'member', guest.email);
    const accept = (app: TestApp) => app.api.post('/v1/invitations/accept', guest.accessToken, { token });
    expect(await eventsOf(scene, accept)).toEqual(['org.member.joined']);
  },

  'org.member.role_changed': async (scene) => {
    const change = (userId: string, role: string) => (app: TestApp) =>
      app.api.call('PATCH', scene.at(`members/${userId}`), { token: scene.admin.accessToken, body: { role } });
    const guest = await joinOrganization(first, scene.admin);
    const promote = change(guest.userId, 'billing');
    expect(await eventsOf(scene, promote)).toEqual(['org.member.role_changed']);
    // The last admin stays an admin.
    expect(await eventsOf(scene, change(scene.admin.userId, 'member'))).toEqual([]);
  },
  ...suspensionChanges(() => first, repeatEverywhere),
  'org.member.removed': async (scene) => {
    const remove = (userId: string, by: Member) => (app: TestApp) =>
      app.api.call('DELETE', scene.at(`members/${userId}`), { token: by.accessToken });
    const [guest, leaver] = [await joinOrganization(first, scene.admin), await joinOrganization(first, scene.admin)];
    const dismiss = remove(guest.userId, scene.admin);
    expect(await eventsOf(scene, dismiss)).toEqual(['org.member.removed']);
    const leave = remove(leaver.userId, leaver);
    expect(await eventsOf(scene, leave)).toEqual(['org.member.removed']);
  },
};

describe('one state change is one event, however often and on whichever process it is tried', () => {
  it.each(Object.entries(STATE_CHANGES))('%s', async (_type, play) => {
    await play(new Scene(first, await first.register()));
  });

  it('covers every type that is sent today', () => {
    const sent = first.service.events.filter((each) => each.isPlanned !== true).map((each) => each.type);
    expect(Object.keys(STATE_CHANGES).toSorted()).toEqual(sent.toSorted());
  });
});
