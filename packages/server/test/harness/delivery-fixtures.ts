import { randomBytes } from 'node:crypto';
import { createTest } from './fixtures.ts';
import { execute, type Member, type TestApp } from './index.ts';
import { type PlantedEndpoint, plantEndpoint, trustEndpoint } from './plant-endpoint.ts';

/** A delivery, as its row shows it. */
interface DeliveryRow {
  id: string;
  status: string;
  attempts: number;
  step: number;
  last_error: string | null;
  next_in_seconds: number | null;
}

/** The state of an endpoint, as its row shows it. */
interface StateRow {
  in_flight: number;
  turn_at: Date | null;
  status: string;
  is_cautious: boolean;
}

/** A person with a license in their own organization. */
export interface SeatTaker extends Member {
  /** Acquires a seat on a new machine, which is one event. Returns the session. */
  takeSeat(): Promise<string>;
}

/** `createTest` for deliveries: the app delivers to the receiver, which answers with 200 when a test begins. */
export function createDeliveryTest() {
  const it = createTest()
    .override('options', ({ receiver }) => ({ settings: receiver.settings }))
    .extend('ada', async ({ app }): Promise<SeatTaker> => {
      const ada = await app.register();
      const { key } = await app.issueLicense(ada.organizationId, { maxSeats: 100 });
      return { ...ada, takeSeat: () => takeSeat(app, ada, key) };
    })
    // Plants an endpoint that has been healthy for a long time.
    .extend('plantTrusted', ({ app, ada, receiver }) => async (path = '/hook'): Promise<PlantedEndpoint> => {
      const endpoint = await plantEndpoint(app, ada.organizationId, receiver.url(path));
      await trustEndpoint(app, endpoint.id);
      return endpoint;
    });
  it.beforeEach(({ receiver }) => {
    receiver.received.length = 0;
    receiver.behave((_received, response) => response.writeHead(200).end('ok'));
  });
  return it;
}

/** The deliveries of an endpoint, oldest first. */
export function deliveriesOf(app: TestApp, endpointId: string): Promise<DeliveryRow[]> {
  return execute(app.database, LIST_DELIVERIES, [endpointId]);
}

const LIST_DELIVERIES = `select id, status, attempts, step, last_error,
    extract(epoch from next_attempt_at - clock_timestamp())::float8 as next_in_seconds
  from webhook_deliveries where endpoint_id = $1 order by created_at, id`;

/** The state of an endpoint; undefined once the endpoint is deleted. */
export async function stateOf(app: TestApp, endpointId: string): Promise<StateRow | undefined> {
  return (await execute<StateRow>(app.database, READ_STATE, [endpointId]))[0];
}

const READ_STATE = 'select in_flight, turn_at, status, is_cautious from webhook_endpoint_states where endpoint_id = $1';

async function takeSeat(test: TestApp, { accessToken }: Member, licenseKey: string): Promise<string> {
  const seat = { license_key: licenseKey, hardware_id: `hw_${randomBytes(16).toString('hex')}` };
  return (await test.api.post('/v1/licenses/acquire', accessToken, seat)).body.data.session_id;
}
