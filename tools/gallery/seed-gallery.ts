import type { DashboardWorld, Person } from '../../packages/server/test/browser/dashboard-world.ts';
import type { Ids } from './screens.ts';

/** The customers of the pictures, with something on every screen, and what their addresses need. */
export interface Seeded {
  customer: Person;
  newcomer: Person;
  ids: Ids;
  /** The one-time link of the vendor's first owner. */
  staffLink: string;
}

// biome-ignore lint/suspicious/noExplicitAny: each line reads what it needs and fails where it is not there.
type Post = (path: string, body: unknown) => Promise<any>;

const CALLBACK = 'https://console.aurora.example/callback';
const NEIGHBOURS = ['Basalt Engineering', 'Cedar Architects', 'Delta Audio', 'Ember Games'];

/** Fills the sandbox with a studio that has used the service for a while, one that has only just come, and others. */
export async function seedGallery(world: DashboardWorld): Promise<Seeded> {
  const operator = await createOperator(world);
  const added = await world.run(['staff', 'add', 'staff@seathold.example', '--role', 'owner', '--sandbox']);
  const newcomer = await world.register('Grace Hopper');
  for (const name of NEIGHBOURS) {
    const { accessToken } = await world.register(name);
    await buyPro(world, (path, body) => world.call('POST', path, accessToken, body), (name.length % 7) + 2);
  }
  const customer = await world.register('Ada Lovelace');
  const ids = await seedCustomer(world, customer, operator);
  return { customer, newcomer, ids, staffLink: /https:\/\/\S+staff-setup\?token=\w+/.exec(added)?.[0] ?? '' };
}

async function createOperator(world: DashboardWorld): Promise<string> {
  const create = ['operator', 'token', 'create', '--sandbox', '--json', '--name'];
  await world.run([...create, 'metering', '--role', 'finance']);
  return /svc_opt_\w{42}/.exec(await world.run([...create, 'crm']))?.[0] ?? '';
}

async function buyPro(world: DashboardWorld, post: Post, quantity: number): Promise<string> {
  const plans: Array<{ id: string; name: string }> = await world.call('GET', '/v1/plans');
  const plan = plans.find(({ name }) => name === 'Pro');
  return (await post('/v1/subscriptions', { plan_id: plan?.id, quantity, payment_method_id: 'pm_card_visa' })).id;
}

async function seedCustomer(world: DashboardWorld, customer: Person, operator: string): Promise<Ids> {
  const { accessToken: token, organizationId, email } = customer;
  const get = (path: string) => world.call('GET', path, token);
  const post: Post = (path, body) => world.call('POST', path, token, body);
  await world.call('PATCH', `/v1/orgs/${organizationId}`, token, {
    name: 'Aurora Animation',
    billing_details: DETAILS,
  });
  const webhook = (
    await post('/v1/webhooks', { url: 'https://hooks.seathold.invalid/seats', events: ['*'], description: 'Pipeline' })
  ).id;
  await post('/v1/webhooks', {
    url: 'https://hooks.seathold.invalid/billing',
    events: ['invoice.*'],
    description: 'Bookkeeping',
  });
  const subscription = await buyPro(world, post, 12);
  const { license_id: license } = await get(`/v1/subscriptions/${subscription}`);
  await work(post, (await get(`/v1/licenses/${license}`)).key);
  for (const invited of ['grace@aurora.example', 'linus@aurora.example']) {
    await post(`/v1/orgs/${organizationId}/invitations`, { email: invited, role: 'member' });
  }
  await post('/v1/api-tokens', { name: 'Build server', scopes: ['read:licenses', 'manage:licenses'] });
  await post('/v1/api-tokens', { name: 'Nightly report', scopes: ['read:org'] });
  const app = await post('/v1/oauth-apps', {
    name: 'Aurora Console',
    redirect_uris: [CALLBACK],
    scopes: ['read:profile', 'read:org'],
    confidential: true,
  });
  const [invoice] = await get('/v1/invoices');
  const [delivery] = await get(`/v1/webhooks/${webhook}/deliveries`);
  const [user] = await world.call('GET', `/v1/operator/users?query=${email}`, operator);
  const { pathname, hash } = new URL((await post('/v1/webhooks/portal-links', {})).url);
  const asked = { client_id: app.client_id, redirect_uri: CALLBACK, response_type: 'code', scope: 'read:profile' };
  return {
    license,
    subscription,
    webhook,
    email,
    invoice: invoice.id,
    delivery: delivery.id,
    organization: organizationId,
    user: user.id,
    portal: pathname + hash,
    oauth: `/oauth/authorize?${new URLSearchParams(asked)}`,
  };
}

const DETAILS = { legal_name: 'Aurora Animation GmbH', address: 'Torstraße 12\n10119 Berlin' };

/** Takes seats on nine machines, in two projects. */
async function work(post: Post, key: string): Promise<void> {
  const projects = [
    await post('/v1/projects', { name: 'Night Train', slug: 'night-train' }),
    await post('/v1/projects', { name: 'Pilot', slug: 'pilot' }),
  ];
  for (let machine = 0; machine < 9; machine += 1) {
    await post('/v1/licenses/acquire', {
      license_key: key,
      hardware_id: `hw_${String(machine).repeat(32)}`,
      metadata: {
        hostname: `workstation-${machine + 1}`,
        client_version: '4.2.1',
        project_id: projects[machine % 2].id,
      },
    });
  }
}
