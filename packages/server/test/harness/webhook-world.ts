import { randomBytes } from 'node:crypto';
import { newId } from '../../src/ids/index.ts';
import { encryptSecret, newSecret } from '../../src/webhooks/signing/secrets.ts';
import { execute, type Member, startTestApp, type TestApp } from './index.ts';
import { startReceiver, type WebhookReceiver } from './webhook-receiver.ts';

/** A delivery, as its row shows it. */
export interface DeliveryRow {
  id: string;
  status: string;
  attempts: number;
  step: number;
  last_error: string | null;
  next_in_seconds: number | null;
}

/** The state of an endpoint, as its row shows it. */
export interface StateRow {
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

/** An application and a receiver for its webhooks. */
export interface WebhookWorld {
  receiver: WebhookReceiver;
  test: TestApp;
  /** Clears what the receiver got and makes it answer with 200 again. Returns a new seat taker. */
  begin(): Promise<SeatTaker>;
  /** The deliveries of an endpoint, oldest first. */
  deliveriesOf(endpointId: string): Promise<DeliveryRow[]>;
  /** Undefined once the endpoint is deleted. */
  stateOf(endpointId: string): Promise<StateRow | undefined>;
  close(): Promise<void>;
}

/** Opens both for a test file, which must close them in afterAll. */
export async function startWebhookWorld(): Promise<WebhookWorld> {
  const receiver = await startReceiver();
  const test = await startTestApp({ settings: receiver.settings });
  return {
    receiver,
    test,
    begin: async () => {
      receiver.received.length = 0;
      receiver.behave((_received, response) => response.writeHead(200).end('ok'));
      const member = await test.register();
      const { key } = await test.issueLicense(member.organizationId, { maxSeats: 100 });
      return { ...member, takeSeat: () => takeSeat(test, member, key) };
    },
    deliveriesOf: (endpointId) => execute(test.database, LIST_DELIVERIES, [endpointId]),
    stateOf: async (endpointId) => (await execute<StateRow>(test.database, READ_STATE, [endpointId]))[0],
    close: async () => {
      await test.close();
      await receiver.close();
    },
  };
}

const LIST_DELIVERIES = `select id, status, attempts, step, last_error,
    extract(epoch from next_attempt_at - clock_timestamp())::float8 as next_in_seconds
  from webhook_deliveries where endpoint_id = $1 order by created_at, id`;

const READ_STATE = 'select in_flight, turn_at, status, is_cautious from webhook_endpoint_states where endpoint_id = $1';

async function takeSeat(test: TestApp, { accessToken }: Member, licenseKey: string): Promise<string> {
  const seat = { license_key: licenseKey, hardware_id: `hw_${randomBytes(16).toString('hex')}` };
  return (await test.api.post('/v1/licenses/acquire', accessToken, seat)).body.data.session_id;
}

/** An endpoint for a test. */
export interface PlantedEndpoint {
  id: string;
  organizationId: string;
  secret: string;
}

/** Writes an endpoint like the API, without its checks and limits. */
export async function plantEndpoint(
  test: TestApp,
  organizationId: string,
  url: string,
  events: readonly string[] = ['*'],
): Promise<PlantedEndpoint> {
  const id = newId('webhookEndpoint');
  const secretId = newId('webhookSecret');
  const secret = newSecret();
  test.api.secrets.note('the secret of an endpoint', secret);
  const { hostname, port } = new URL(url);
  await execute(
    test.database,
    `with endpoint as (
      insert into webhook_endpoints (organization_id, id, url, events, created_at, updated_at)
      select $1::text, $2::text, $3, $4::text[], n.t + o.clock_offset_ms * interval '1 millisecond', n.t
      from organizations o, (select clock_timestamp() as t) n where o.id = $1::text
    ), secret as (
      insert into webhook_secrets (organization_id, endpoint_id, id, secret, created_at)
      values ($1::text, $2::text, $5, $6, clock_timestamp())
    )
    insert into webhook_endpoint_states (organization_id, endpoint_id, status, destination)
    values ($1::text, $2::text, 'active', $7)`,
    [
      organizationId,
      id,
      url,
      events,
      secretId,
      encryptSecret(test.masterKey, secretId, secret),
      `${hostname}:${port || 443}`,
    ],
  );
  return { id, organizationId, secret };
}

/** Lets time pass for planned attempts: the endpoint's attempts become due this much earlier. */
export async function bringForward(test: TestApp, endpointId: string, seconds: number): Promise<void> {
  await execute(
    test.database,
    `with moved as (
      update webhook_planned_attempts set due_at = due_at - $2 * interval '1 second' where endpoint_id = $1
    ), shown as (
      update webhook_deliveries set next_attempt_at = next_attempt_at - $2 * interval '1 second'
      where endpoint_id = $1 and next_attempt_at is not null
    )
    update webhook_endpoint_states set turn_at = turn_at - $2 * interval '1 second' where endpoint_id = $1`,
    [endpointId, seconds],
  );
}

/** Gives an endpoint the state of one that has long answered well, with this limit of attempts in flight. */
export async function trustEndpoint(test: TestApp, endpointId: string, inFlightLimit = 64): Promise<void> {
  await execute(
    test.database,
    'update webhook_endpoint_states set in_flight_limit = $2, swift_in_row = 5, is_cautious = false where endpoint_id = $1',
    [endpointId, inFlightLimit],
  );
}
