import { randomBytes } from 'node:crypto';
import type { Member, TestApp } from '../harness/index.ts';
import type { Supply } from './supply.ts';

/** Resources of licenses that operations use up, by operation. */
export const LICENSE_SUPPLIES: Readonly<Record<string, (test: TestApp) => Promise<Supply>>> = {
  activateLicense: async (test) => {
    const { organizationId } = await test.register();
    const { key } = await test.issueLicense(organizationId, { policy: { activation: 'key' } });
    return { fields: { license_key: key, hardware_id: machine() } };
  },
  deleteActivation: async (test) => {
    const { organizationId, accessToken } = await test.register();
    const { id, key } = await test.issueLicense(organizationId, { policy: { activation: 'key' } });
    const body = { license_key: key, hardware_id: machine() };
    const activated = await test.api.call('POST', '/v1/licenses/activate', { body });
    return { token: accessToken, path: { license_id: id, activation_id: activated.body.data.activation_id } };
  },
  getSeatWait: supplyWait,
  leaveSeatWait: supplyWait,
};

async function supplyWait(test: TestApp): Promise<Supply> {
  const member = await test.register();
  return { token: member.accessToken, path: { wait_id: await joinLine(test, member) } };
}

/** A place in the line of a full license. */
export async function joinLine(test: TestApp, { organizationId, accessToken }: Member): Promise<string> {
  const { key } = await test.issueLicense(organizationId, { maxSeats: 1 });
  const acquire = (more: object) =>
    test.api.post('/v1/licenses/acquire', accessToken, { license_key: key, hardware_id: machine(), ...more });
  await acquire({});
  return (await acquire({ wait_seconds: 3_600 })).body.data.wait_id;
}

const machine = () => `hw_${randomBytes(16).toString('hex')}`;
