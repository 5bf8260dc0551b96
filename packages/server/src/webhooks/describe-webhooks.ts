import type { EventDefinition } from '../events/index.ts';
import type { DescribedWebhook } from '../http/index.ts';
import { idPattern } from '../ids/index.ts';

/** The requests that endpoints receive, by type of event, for the API reference. */
export function describeWebhooks(events: readonly EventDefinition[]): Record<string, DescribedWebhook> {
  const sorted = events.toSorted((one, other) => (one.type < other.type ? -1 : 1));
  return Object.fromEntries(sorted.map((event) => [event.type, describeWebhook(event)]));
}

function describeWebhook({ type, description, schema, example, isPlanned }: EventDefinition): DescribedWebhook {
  const name = `${type.split(/[._]/).map(capitalized).join('')}Event`;
  const object = { title: `${name}Object`, ...schema };
  return {
    name,
    description: isPlanned === true ? `${description} Not sent by this version yet.` : description,
    parameters: HEADERS,
    schema: {
      title: name,
      type: 'object',
      required: [...Object.keys(COMMON), 'type', 'data'],
      properties: {
        ...COMMON,
        type: { type: 'string', const: type },
        data: { type: 'object', required: ['object'], properties: { object } },
      },
    },
    object,
    example,
  };
}

/**
 * The fields common to all types. Each has a title and an example, so that the document contains them once, not in
 * every type.
 */
const COMMON = {
  id: {
    title: 'EventId',
    type: 'string',
    pattern: idPattern('event'),
    description: 'The same in every attempt.',
    examples: ['evt_01kagt2m8xf3q9wz5r7e6b4c1g'],
  },
  created: { title: 'EventTime', type: 'string', format: 'date-time', examples: ['2026-01-31T12:00:00.000Z'] },
  organization_id: {
    title: 'EventOrganizationId',
    type: 'string',
    pattern: idPattern('organization'),
    examples: ['org_01kagt2m8xf3q9wz5r7e6b4c1h'],
  },
};

const capitalized = (word: string) => word.replace(/^./, (first) => first.toUpperCase());

const header = (name: string, required: boolean, description: string) => ({
  name,
  in: 'header',
  required,
  schema: { type: 'string' },
  description,
});

const HEADERS = [
  header(
    'X-Service-Signature',
    true,
    't=<Unix seconds>,v1=<HMAC-SHA256 of "t.body">, with one v1 for each active secret.',
  ),
  header('X-Service-Event', true, 'The event type.'),
  header('X-Service-Delivery', true, 'The ID of the delivery, the same in every attempt.'),
  header(
    'X-Service-Sequence',
    false,
    'The number of the delivery, the same in every attempt. The deliveries of an endpoint are numbered 1, 2, 3, … without gaps. Missing for deliveries created before numbering was introduced.',
  ),
  header('webhook-id', false, 'Standard Webhooks: the ID of the event.'),
  header('webhook-timestamp', false, 'Standard Webhooks: Unix seconds.'),
  header('webhook-signature', false, 'Standard Webhooks: v1,<base64>, separated by spaces.'),
];
