import { newId } from '../../src/ids/index.ts';
import { encryptSecret, newSecret } from '../../src/webhooks/signing/secrets.ts';
import { execute, type TestApp } from './index.ts';

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
