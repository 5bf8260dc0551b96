import type { Member } from '../harness/index.ts';
import type { Case, World } from './license-cases.ts';

const PATH = '/v1/operator/organizations';

/** The name that a deletion has to repeat. */
async function nameAt(world: World, actor: Member, path: string): Promise<unknown> {
  const shown = await world.data(actor, 'GET', path);
  return Reflect.get(Object(shown), 'name');
}

/** What an owner of the vendor's does to customers as a whole. */
export const CUSTOMER_CASES: Readonly<Record<string, Case>> = {
  'POST /v1/operator/organizations': (world, actor) =>
    world.send(actor, 'POST', PATH, { name: 'Acme', admin_email: 'grace@acme.example.com' }),
  'PATCH /v1/operator/organizations/{id}': async (world, actor) => {
    const { organizationId } = await world.test.register();
    return world.send(actor, 'PATCH', `${PATH}/${organizationId}`, { status: 'suspended', reason: 'Shares its keys' });
  },
  'DELETE /v1/operator/organizations/{id}': async (world, actor) => {
    const path = `${PATH}/${(await world.test.register()).organizationId}`;
    return world.send(actor, 'DELETE', path, { confirm: await nameAt(world, actor, path) });
  },
};
