import { expect } from 'vitest';
import type { ApiAnswer, TestApp } from '../harness/index.ts';
import { makeOperatorToken } from '../usage/usage-world.ts';
import type { Scene } from './scene.ts';

type Act = (app: TestApp) => Promise<ApiAnswer>;

/** What suspends and reinstates an organization only once, however often it is done. */
export function suspensionChanges(
  app: () => TestApp,
  repeatEverywhere: (act: Act) => Promise<void>,
): Record<string, (scene: Scene) => Promise<void>> {
  const actsOn = async (scene: Scene): Promise<{ suspend: Act; reinstate: Act }> => {
    const { token } = await makeOperatorToken(app());
    const path = `/v1/operator/organizations/${scene.admin.organizationId}`;
    const set = (body: object) => (each: TestApp) => each.api.call('PATCH', path, { token, body });
    return { suspend: set({ status: 'suspended', reason: 'Shares its keys' }), reinstate: set({ status: 'active' }) };
  };
  return {
    'org.suspended': async (scene) => {
      const { suspend, reinstate } = await actsOn(scene);
      // The scene reads the events as the organization, which has to be reinstated first.
      const told = await scene.eventsDuring(async () => {
        await repeatEverywhere(suspend);
        await reinstate(app());
      });
      expect(told.toSorted()).toEqual(['org.reinstated', 'org.suspended']);
    },
    'org.reinstated': async (scene) => {
      const { suspend, reinstate } = await actsOn(scene);
      const told = await scene.eventsDuring(async () => {
        await suspend(app());
        await repeatEverywhere(reinstate);
      });
      expect(told.toSorted()).toEqual(['org.reinstated', 'org.suspended']);
    },
  };
}
