import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import type { Database } from '../../src/database/index.ts';
import { execute } from '../harness/index.ts';
import type { HttpsClient, Outcome } from './https-client.ts';
import type { Person } from './world.ts';

/** Creates an endpoint like a customer. Returns its ID. */
export async function openEndpoint(
  client: HttpsClient,
  baseUrl: string,
  { token, organizationId }: Person,
  url: string,
  events: readonly string[] = ['*'],
): Promise<string> {
  const answer = await client.call('POST', `${baseUrl}/v1/webhooks`, { token, organizationId }, { url, events });
  if (answer.kind !== 'answer' || answer.status !== 201) {
    throw new Error(`no endpoint can be made: ${JSON.stringify(answer)}`);
  }
  return String(answer.body.data.id);
}

/** Acquires seats simultaneously, each on another machine, which makes as many events. Returns the sessions. */
export async function takeSeats(
  client: HttpsClient,
  baseUrls: readonly string[],
  { token, organizationId }: Person,
  licenseKey: string | undefined,
  count: number,
): Promise<string[]> {
  const take = async (number: number): Promise<string> => {
    const url = `${baseUrls[number % baseUrls.length]}/v1/licenses/acquire`;
    const body = { license_key: licenseKey, hardware_id: `hw_${randomBytes(16).toString('hex')}` };
    for (;;) {
      const answer = await client.call('POST', url, { token, organizationId }, body);
      if (answer.kind !== 'answer' || answer.status !== 503) {
        expect(answer).toMatchObject({ status: expect.toSatisfy((status) => status === 201 || status === 200) });
        return answer.kind === 'answer' ? String(answer.body.data.session_id) : '';
      }
      // On a busy machine the service may get no database connection in time. On a retry the same machine gets the same
      // seat, with only one event.
    }
  };
  return Promise.all(Array.from({ length: count }, (_, number) => take(number)));
}

/** An event as GET /v1/events lists it. */
export interface ListedEvent {
  id: string;
  type: string;
}

/** Every event of an organization, through the API. */
export async function listEvents(
  client: HttpsClient,
  baseUrl: string,
  { token, organizationId }: Person,
): Promise<ListedEvent[]> {
  const events: ListedEvent[] = [];
  for (let path = '/v1/events?limit=100&sort=created'; path !== ''; ) {
    const answer: Outcome = await client.call('GET', baseUrl + path, { token, organizationId });
    if (answer.kind !== 'answer' || answer.status !== 200) {
      throw new Error(`the events cannot be listed: ${JSON.stringify(answer)}`);
    }
    events.push(...answer.body.data);
    const { has_more: hasMore, next_cursor: cursor } = answer.body.pagination;
    path = hasMore === true ? `/v1/events?limit=100&sort=created&cursor=${encodeURIComponent(cursor)}` : '';
  }
  return events;
}

/** The work left to do for an organization's endpoints. */
interface Waiting {
  unsent: number;
  planned: number;
  in_flight: number;
}

/** Waits until every event has been fanned out, every attempt has been made, and each endpoint's count is back at 0. */
export async function untilNothingWaits(database: Database, organizationId: string): Promise<void> {
  const read = () =>
    execute<Waiting>(database, COUNT_WAITING, [organizationId]).catch((error: unknown) => [String(error)]);
  await expect.poll(read, { interval: 100 }).toEqual([{ unsent: 0, planned: 0, in_flight: 0 }]);
}

const COUNT_WAITING = `select
    (select count(*)::int from unsent_events where organization_id = $1) as unsent,
    (select count(*)::int from webhook_planned_attempts where organization_id = $1)
      + (select count(*)::int from webhook_queue where organization_id = $1) as planned,
    (select coalesce(sum(in_flight), 0)::int from webhook_endpoint_states where organization_id = $1) as in_flight`;

/** Gives endpoints the in-flight limit of those that have long answered well. */
export async function trustEndpoints(database: Database, organizationId: string): Promise<void> {
  await execute(
    database,
    'update webhook_endpoint_states set in_flight_limit = 64, is_cautious = false where organization_id = $1',
    [organizationId],
  );
}
