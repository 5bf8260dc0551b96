import { createServer, type Server, type Socket } from 'node:net';
import type { Database } from '../../src/database/index.ts';
import { newId } from '../../src/ids/index.ts';
import { LICENSE_SEAT_ACQUIRED } from '../../src/licensing/events.ts';
import { MasterKey } from '../../src/security/index.ts';
import { encryptSecret, newSecret } from '../../src/webhooks/signing/secrets.ts';
import { execute } from '../harness/index.ts';
import type { WebhookReceiver } from '../harness/webhook-receiver.ts';

/** Addresses that accept every connection and never respond, in two ways. */
export interface HangingAddresses {
  urls: string[];
  /** How many connections are hanging there at the moment. */
  open(): number;
  close(): void;
}

/** Opens addresses that never complete a TLS handshake. Those of `receivers` do, but never answer. */
export async function openHangingAddresses(
  count: number,
  receivers: readonly WebhookReceiver[],
): Promise<HangingAddresses> {
  const sockets = new Set<Socket>();
  const servers: Server[] = [];
  const urls = receivers.map((receiver) => receiver.url());
  let unanswered = 0;
  for (const receiver of receivers) {
    receiver.behave((_received, response) => {
      receiver.received.length = 0;
      unanswered += 1;
      response.once('close', () => {
        unanswered -= 1;
      });
    });
  }
  for (let number = 0; number < count; number += 1) {
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
      socket.resume();
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const address = server.address();
    urls.push(`https://localhost:${typeof address === 'object' ? address?.port : 0}/hooks`);
    servers.push(server);
  }
  return {
    urls,
    open: () => sockets.size + unanswered,
    close: () => {
      for (const socket of sockets) {
        socket.destroy();
      }
      for (const server of servers) {
        server.close();
      }
    },
  };
}

/**
 * Writes this many endpoints at these addresses, in turn, each with this many deliveries that were due a day ago. They
 * belong to separate organizations without members, `ENDPOINTS_EACH` per organization.
 */
export async function plantBacklog(
  database: Database,
  masterKeyText: string | undefined,
  { urls, endpoints, deliveries }: { urls: readonly string[]; endpoints: number; deliveries: number },
): Promise<void> {
  const masterKey = new MasterKey(Buffer.from(masterKeyText ?? '', 'base64'));
  const organizations = Array.from({ length: Math.ceil(endpoints / ENDPOINTS_EACH) }, () => newId('organization'));
  const planted = Array.from({ length: endpoints }, (_, number) => {
    const url = urls[number % urls.length] ?? '';
    const secretId = newId('webhookSecret');
    const sealed = encryptSecret(masterKey, secretId, newSecret());
    const organizationId = organizations[Math.floor(number / ENDPOINTS_EACH)] ?? '';
    return { organizationId, id: newId('webhookEndpoint'), url, destination: new URL(url).host, secretId, sealed };
  });
  await execute(database, PLANT_ORGANIZATIONS, [organizations]);
  await execute(database, PLANT_ENDPOINTS, [
    planted.map((each) => each.organizationId),
    planted.map((each) => each.id),
    planted.map((each) => each.url),
    planted.map((each) => each.destination),
    planted.map((each) => each.secretId),
    planted.map((each) => each.sealed),
  ]);
  const events = organizations.flatMap((organizationId) =>
    Array.from({ length: deliveries }, () => ({ organizationId, id: newId('event') })),
  );
  await execute(database, PLANT_EVENTS, [
    events.map((each) => each.organizationId),
    events.map((each) => each.id),
    LICENSE_SEAT_ACQUIRED.type,
    JSON.stringify(LICENSE_SEAT_ACQUIRED.example),
  ]);
  for (let from = 0; from < endpoints; from += PORTION) {
    const portion = planted.slice(from, from + PORTION);
    await execute(database, PLANT_DELIVERIES, [
      portion.map((each) => each.organizationId),
      portion.map((each) => each.id),
    ]);
  }
  await execute(database, PLANT_TURNS, [organizations]);
  await execute(database, 'analyze webhook_deliveries, webhook_planned_attempts, webhook_endpoint_states', []);
}

/** As many as a customer may have. Otherwise one organization's quota would be what protects the others. */
const ENDPOINTS_EACH = 10;

/** Endpoints per statement, which has five seconds. */
const PORTION = 25;

const PLANT_ORGANIZATIONS = `insert into organizations (id, name, slug, created_at, updated_at)
  select id, 'Hanging', replace(id, '_', '-'), clock_timestamp(), clock_timestamp() from unnest($1::text[]) as o (id)`;

const PLANT_ENDPOINTS = `with given as materialized (
    select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bytea[])
      as g (organization_id, id, url, destination, secret_id, secret)
  ), endpoints as (
    insert into webhook_endpoints (organization_id, id, url, events, created_at, updated_at)
    select organization_id, id, url, '{org.*}', clock_timestamp() - interval '2 days', clock_timestamp() from given
  ), secrets as (
    insert into webhook_secrets (organization_id, endpoint_id, id, secret, created_at)
    select organization_id, id, secret_id, secret, clock_timestamp() from given
  )
  insert into webhook_endpoint_states (organization_id, endpoint_id, status, destination)
  select organization_id, id, 'active', destination from given`;

const PLANT_EVENTS = `insert into events (organization_id, id, type, created, object)
  select e.organization_id, e.id, $3, clock_timestamp() - interval '1 day', $4::jsonb
  from unnest($1::text[], $2::text[]) as e (organization_id, id)`;

const PLANT_DELIVERIES = `with written as (
    insert into webhook_deliveries (organization_id, endpoint_id, id, event_id, event_type, status, next_attempt_id,
      next_attempt_at, created_at)
    select w.organization_id, w.id, 'dlv_' || md5(w.id || e.id), e.id, e.type, 'pending', 'att_' || md5(w.id || e.id),
      e.created, e.created
    from unnest($1::text[], $2::text[]) as w (organization_id, id) join events e using (organization_id)
    where e.created < clock_timestamp() - interval '12 hours'
    returning organization_id, endpoint_id, id, next_attempt_id, next_attempt_at
  )
  insert into webhook_planned_attempts (organization_id, endpoint_id, id, delivery_id, kind, priority, due_at)
  select organization_id, endpoint_id, next_attempt_id, id, 'scheduled', 1, next_attempt_at from written`;

/** Only now may they be claimed. */
const PLANT_TURNS = `update webhook_endpoint_states set turn_at = clock_timestamp() - interval '1 day'
  where organization_id = any($1::text[])`;
