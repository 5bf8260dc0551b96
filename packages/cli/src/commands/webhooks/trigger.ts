import { setTimeout as sleep } from 'node:timers/promises';
import { type Seathold, SeatholdError, type WebhookEndpoint, type WebhookEventType } from '@seathold/client';
import type { Command } from 'commander';
import { createClient, environmentOf } from '../../access/find-access.ts';
import { CommandFailure } from '../../command-failure.ts';
import { requireEventType } from '../../event-types.ts';
import { EXIT_CODES } from '../../exit-codes.ts';
import { print } from '../../output.ts';

interface TriggerOptions {
  endpoint?: string;
  sandbox?: boolean;
  json?: boolean;
}

/** `seathold webhooks trigger`: sends the example of a type, and prints the endpoints' responses. */
export function addTriggerCommand(webhooks: Command): void {
  webhooks
    .command('trigger')
    .description('Send a test event to the endpoints that receive its type, and show their responses.')
    .argument('<type>', 'the event type, for example license.seat.acquired')
    .option('--endpoint <id>', 'send only to this endpoint, even if it does not subscribe to the type')
    .option('--sandbox', 'use the sandbox instead of production')
    .option('--json', 'print JSON')
    .addHelpText('after', HELP)
    .action(trigger);
}

const HELP = `
The service itself sends the event. For a receiver that it cannot reach, use \`seathold webhooks listen\`.
Exits with 0 if every endpoint answers 2xx, 1 if one does not, and 4 if no endpoint receives the type.

Examples:
  $ seathold webhooks trigger license.seat.acquired --sandbox
  $ seathold webhooks trigger license.expired --endpoint wh_01k9m2v5x8e4bt3q6r7s8t9vwx --json`;

async function trigger(name: string, options: TriggerOptions): Promise<void> {
  const client = await createClient(environmentOf(options));
  const type = await requireEventType(client, name);
  const endpoints = await findEndpoints(client, type, options.endpoint);
  if (endpoints.length === 0) {
    const advice = 'Create one with POST /v1/webhooks, or choose one with --endpoint';
    throw new CommandFailure('not_found', `No active endpoint of the organization receives ${type}. ${advice}.`);
  }
  const outcomes = await Promise.all(endpoints.map((endpoint) => sendTest(client, endpoint, type)));
  print(
    options.json === true,
    { type, outcomes },
    outcomes.map(({ webhook_id: id, url, status_code: status, error, duration_ms: durationMs }) => {
      const answer = error === null || error === 'http_status' ? String(status) : `${status ?? '-'} ${error}`;
      return `${id}  ${url}  ${answer}${durationMs === null ? '' : `  ${durationMs} ms`}`;
    }),
  );
  process.exitCode = outcomes.every((each) => each.error === null) ? EXIT_CODES.ok : EXIT_CODES.failure;
}

async function findEndpoints(
  client: Seathold,
  type: WebhookEventType,
  id: string | undefined,
): Promise<Array<Pick<WebhookEndpoint, 'id' | 'url'>>> {
  if (id !== undefined) {
    return [await client.webhooks.get(id)];
  }
  const endpoints = [];
  for await (const endpoint of client.webhooks.list({ status: 'active', event: type, limit: 100 })) {
    endpoints.push(endpoint);
  }
  return endpoints;
}

/** The outcome at one endpoint; `error` is null for 2xx, otherwise the class of the failure or the API's refusal. */
interface Outcome {
  webhook_id: string;
  url: string;
  delivery_id: string | null;
  status_code: number | null;
  error: string | null;
  duration_ms: number | null;
}

/** A refusal of the API for one endpoint is that endpoint's outcome, and does not affect the others. */
async function sendTest(
  client: Seathold,
  { id, url }: Pick<WebhookEndpoint, 'id' | 'url'>,
  type: string,
): Promise<Outcome> {
  const nothing = { webhook_id: id, url, delivery_id: null, status_code: null, duration_ms: null };
  try {
    const delivery = await client.webhooks.test(id, { type });
    return { ...nothing, ...(await awaitAnswer(client, id, delivery.id)), delivery_id: delivery.id };
  } catch (error) {
    if (error instanceof SeatholdError && CODES_OF_ONE_ENDPOINT.has(error.code)) {
      return { ...nothing, error: error.code };
    }
    throw error;
  }
}

/** Its URL is not allowed, too many deliveries are waiting, or it was just deleted. */
const CODES_OF_ONE_ENDPOINT: ReadonlySet<string> = new Set(['validation_failed', 'conflict', 'not_found']);

async function awaitAnswer(
  client: Seathold,
  endpointId: string,
  deliveryId: string,
): Promise<Pick<Outcome, 'status_code' | 'error' | 'duration_ms'>> {
  const giveUpAt = performance.now() + MAX_WAIT_MS;
  for (let waitMs = FIRST_WAIT_MS; performance.now() < giveUpAt; waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)) {
    await sleep(waitMs);
    const [attempt] = (await client.webhooks.getDelivery(endpointId, deliveryId)).attempts;
    if (attempt !== undefined) {
      const { status_code, error, duration_ms } = attempt;
      return { status_code, error, duration_ms };
    }
  }
  return { status_code: null, error: 'no_outcome_yet', duration_ms: null };
}

/** An attempt takes at most 15 s, and begins within one. Each request counts towards the rate limit. */
const MAX_WAIT_MS = 20_000;
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 2_000;
