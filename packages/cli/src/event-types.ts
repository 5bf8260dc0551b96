import type { Seathold, WebhookEventType } from '@seathold/client';
import { CommandFailure } from './command-failure.ts';

type Client = Pick<Seathold, 'eventTypes'>;

/** The given type. Throws `invalid_argument` if the service does not have it. */
export async function requireEventType(client: Client, name: string): Promise<WebhookEventType> {
  const known = await listEventTypes(client);
  if (!isAmong(known, name)) {
    throw new CommandFailure('invalid_argument', `Unknown event type: ${name}. Known types: ${known.join(', ')}.`);
  }
  return name;
}

/**
 * The requested event types: types, groups such as `license.*`, and `*`, as in endpoint subscriptions. Throws
 * `invalid_argument` if one matches no type of the service.
 */
export async function readEventFilter(client: Client, patterns: readonly string[]): Promise<(type: string) => boolean> {
  if (patterns.includes('*')) {
    return () => true;
  }
  const known = await listEventTypes(client);
  const unknown = patterns.find((pattern) => !known.some((type) => fits(pattern, type)));
  if (unknown !== undefined) {
    const message = `Unknown event type or group: ${unknown}. Known types: ${known.join(', ')}.`;
    throw new CommandFailure('invalid_argument', message);
  }
  return (type) => patterns.some((pattern) => fits(pattern, type));
}

async function listEventTypes({ eventTypes }: Client): Promise<string[]> {
  const known: string[] = [];
  for await (const { type } of eventTypes.list({ limit: 100 })) {
    known.push(type);
  }
  return known;
}

/** The service's own list decides, which may be longer than the client's. */
function isAmong(known: readonly string[], name: string): name is WebhookEventType {
  return known.includes(name);
}

function fits(pattern: string, type: string): boolean {
  return pattern === type || (pattern.endsWith('.*') && type.startsWith(pattern.slice(0, -1)));
}
