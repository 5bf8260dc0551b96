import type { ApiAnswer } from '../harness/api-client.ts';
import type { Member, TestApp } from '../harness/index.ts';

/** Where the cases run, and who sends their calls. */
export interface World {
  test: TestApp;
  send(actor: Member, method: string, path: string, body?: unknown): Promise<ApiAnswer>;
  data(actor: Member, method: string, path: string, body?: unknown): Promise<unknown>;
}

type Case = (world: World, actor: Member) => Promise<ApiAnswer>;

const LICENSES = '/v1/operator/licenses';
const REASON = { reason: 'The invoice was not paid.' };

/** Acts on a customer's license, after the actions in `before`. */
const ofCustomersLicense =
  (method: string, act: string, body: unknown, ...before: string[]): Case =>
  async (world, actor) => {
    const customer = await world.test.register();
    const { id } = await world.test.issueLicense(customer.organizationId);
    for (const each of before) {
      await world.data(actor, 'POST', `${LICENSES}/${id}/${each}`, REASON);
    }
    return world.send(actor, method, `${LICENSES}/${id}${act}`, body);
  };

const issueToCustomer: Case = async (world, actor) => {
  const { organizationId } = await world.test.register();
  const terms = { product: 'seathold-demo', max_seats: 3, expires_at: null };
  return world.send(actor, 'POST', LICENSES, { organization_id: organizationId, ...terms });
};

/** What a staff owner does to the licenses of customers. */
export const LICENSE_CASES: Readonly<Record<string, Case>> = {
  [`POST ${LICENSES}`]: issueToCustomer,
  [`PATCH ${LICENSES}/{license_id}`]: ofCustomersLicense('PATCH', '', { max_seats: 4 }),
  [`POST ${LICENSES}/{license_id}/suspend`]: ofCustomersLicense('POST', '/suspend', REASON),
  [`POST ${LICENSES}/{license_id}/reinstate`]: ofCustomersLicense('POST', '/reinstate', REASON, 'suspend'),
  [`POST ${LICENSES}/{license_id}/revoke`]: ofCustomersLicense('POST', '/revoke', REASON),
};

/** What an admin does to the machines of a license. */
export const ACTIVATION_CASES: Readonly<Record<string, Case>> = {
  'DELETE /v1/licenses/{license_id}/activations/{activation_id}': async (world, actor) => {
    const { id, key } = await world.test.issueLicense(actor.organizationId, { policy: { activation: 'key' } });
    const body = { license_key: key, hardware_id: `hw_${'0'.repeat(32)}` };
    const activated = await world.test.api.call('POST', '/v1/licenses/activate', { body });
    return world.send(actor, 'DELETE', `/v1/licenses/${id}/activations/${activated.body.data.activation_id}`);
  },
};

/** Seat operations of programs, which are not in the audit log, and why. */
export const SEATS_WITHOUT_AUDIT: Readonly<Record<string, string>> = {
  'POST /v1/licenses/acquire': 'a seat has its session, which is kept forever, and its events',
  'DELETE /v1/licenses/waits/{wait_id}': 'a wait is kept with its outcome',
  'POST /v1/licenses/heartbeat': 'a seat has its session, which is kept forever, and its events',
};
