import { randomBytes } from 'node:crypto';
import { NotFoundError, type Seathold } from '@seathold/client';

interface Customer {
  name: string;
  plan: 'Free' | 'Pro';
  seats: number;
  /** How many of the seats are in use. */
  machines: number;
  projects: readonly string[];
  colleagues: number;
}

/** From one person to a studio, one of them with every seat taken. */
export const CUSTOMERS: readonly Customer[] = [
  { name: 'Aurora Animation', plan: 'Pro', seats: 12, machines: 9, projects: ['Night Train', 'Pilot'], colleagues: 3 },
  { name: 'Basalt Engineering', plan: 'Pro', seats: 5, machines: 5, projects: ['Bridge 7'], colleagues: 2 },
  { name: 'Cedar Architects', plan: 'Pro', seats: 3, machines: 1, projects: ['Library', 'Town hall'], colleagues: 1 },
  { name: 'Delta Audio', plan: 'Pro', seats: 8, machines: 2, projects: [], colleagues: 0 },
  { name: 'Ember Games', plan: 'Pro', seats: 20, machines: 14, projects: ['Prototype', 'Trailer'], colleagues: 4 },
  { name: 'Fjord Film', plan: 'Free', seats: 1, machines: 1, projects: ['Short'], colleagues: 0 },
];

type Connect = (token?: string) => Seathold;

/** Creates one customer with everything that it has; returns a line that says how to log in. */
export async function seedCustomer(connect: Connect, number: number, run: string): Promise<string> {
  const customer = CUSTOMERS[number % CUSTOMERS.length] as Customer;
  const domain = `${customer.name.toLowerCase().replaceAll(' ', '-')}-${run}${number}.example.com`;
  const email = `admin@${domain}`;
  const password = randomBytes(12).toString('base64url');
  const login = await connect().auth.register({ email, password, name: 'Admin' });
  const service = connect('access_token' in login ? login.access_token : undefined);
  await requireSandbox(service, password);
  const { id: organizationId } = (await service.me.get()).organization;
  await service.organizations.update(organizationId, { name: customer.name });
  await buySeats(service, customer);
  await Promise.all(customer.projects.map((name) => service.projects.create({ name })));
  for (let colleague = 1; colleague <= customer.colleagues; colleague += 1) {
    const invitation = { email: `artist${colleague}@${domain}`, role: 'member' as const };
    await service.organizations.createInvitation(organizationId, invitation);
  }
  await service.webhooks.create({ url: `https://hooks.${domain}/seathold`, events: ['*'] });
  return `${customer.name.padEnd(20)} ${email}  ${password}`;
}

/** Buys the plan, and takes the seats that are in use. */
async function buySeats(service: Seathold, { plan, seats, machines }: Customer): Promise<void> {
  const plans = await service.plans.list();
  const wanted = plans.data.find(({ name }) => name === plan) ?? plans.data[0];
  if (wanted === undefined) {
    throw new Error('nothing is for sale: apply a catalogue first');
  }
  const bought = await service.subscriptions.create({
    plan_id: wanted.id,
    quantity: seats,
    payment_method_id: 'pm_card_visa',
  });
  const { license_id } = await service.subscriptions.get(bought.id);
  if (license_id === null) {
    return;
  }
  const { key } = await service.licenses.get(license_id);
  for (let machine = 0; machine < machines; machine += 1) {
    await service.licenses.acquire({
      license_key: key,
      hardware_id: `hw_${randomBytes(16).toString('hex')}`,
      metadata: { hostname: `workstation-${machine + 1}` },
    });
  }
}

/** Made-up customers must never be among real ones: in production, which has no such clock, the first one is removed. */
async function requireSandbox(service: Seathold, password: string): Promise<void> {
  try {
    await service.sandbox.getClock();
  } catch (error) {
    if (error instanceof NotFoundError) {
      await service.me.delete({ password });
      throw new Error('This is production. Customers are only made up in the sandbox.', { cause: error });
    }
    throw error;
  }
}
