import type { ApiAnswer } from '../harness/api-client.ts';
import { execute, type Member } from '../harness/index.ts';
import { type MovedClock, registerWithTwoFactor } from '../harness/two-factor.ts';
import type { World } from './license-cases.ts';

/** Where the cases run. */
interface CustomerWorld extends World {
  clock: MovedClock;
}

const PATH = '/v1/operator/organizations';

/** The name that a deletion must repeat. */
async function nameAt(world: World, actor: Member, path: string): Promise<unknown> {
  const shown = await world.data(actor, 'GET', path);
  return Reflect.get(Object(shown), 'name');
}

/** What a staff owner does to whole customers, and to their people. */
export const CUSTOMER_CASES: Readonly<Record<string, (world: CustomerWorld, actor: Member) => Promise<ApiAnswer>>> = {
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
  'POST /v1/operator/users/{user_id}/unlock': async (world, actor) => {
    const { userId } = await world.test.register();
    await execute(
      world.test.database,
      "update users set locked_until = clock_timestamp() + interval '1 minute' where id = $1",
      [userId],
    );
    return world.send(actor, 'POST', `/v1/operator/users/${userId}/unlock`);
  },
  'POST /v1/operator/users/{user_id}/disable-two-factor': async (world, actor) => {
    const { userId } = await registerWithTwoFactor(world.test, world.clock);
    return world.send(actor, 'POST', `/v1/operator/users/${userId}/disable-two-factor`);
  },
};
