import type { EventDefinition } from '../../events/index.ts';
import { type ApiError, httpError, invalidRequest } from '../../http/index.ts';
import { isKnownPattern } from '../events/subscription-rules.ts';
import type { Sender, UrlRefusal } from '../sending/sender.ts';

/** The maximum number of live endpoints of an organization (contract §9). */
export const MAX_ENDPOINTS = 50;

/**
 * The refusal of a URL that may not be an endpoint's; undefined if it may. Queries name servers, so call it before a
 * transaction begins; throw it inside, where a repeated request gets its stored response instead of a new check.
 */
export async function findUrlRefusal(sender: Pick<Sender, 'checkUrl'>, url: string): Promise<ApiError | undefined> {
  const refusal = await sender.checkUrl(url);
  if (refusal === undefined) {
    return undefined;
  }
  const message = MESSAGES[refusal];
  return refusal === 'not_a_url'
    ? invalidRequest('url', 'format', message)
    : httpError('validation_failed', message, { details: { field: 'url', reason: refusal } });
}

/**
 * The subscriptions of an endpoint, without duplicates. Throws validation_failed for anything but a type, a group or
 * `*`.
 */
export function requireKnownEvents(catalogue: readonly EventDefinition[], events: readonly string[]): string[] {
  const types = catalogue.map((each) => each.type);
  const unknown = events.find((each) => !isKnownPattern(types, each));
  if (unknown !== undefined) {
    throw unknownEventType('events', unknown);
  }
  return [...new Set(events)];
}

/** The refusal of a type that is not in the catalogue. */
export function unknownEventType(field: string, type: string): ApiError {
  return httpError('validation_failed', `Unknown event type or group: ${type}. See GET /v1/event-types.`, {
    details: { field, reason: 'unknown_event_type' },
  });
}

/**
 * The refusal of an endpoint beyond the limit. The request itself is valid: after another one is deleted, it succeeds.
 */
export function tooManyEndpoints(): ApiError {
  return httpError(
    'conflict',
    `An organization can have at most ${MAX_ENDPOINTS} webhook endpoints. Delete one first.`,
  );
}

/**
 * Host and port, with an explicit default port and no trailing dot, so that endpoints of one receiver have the same.
 */
export function destinationOf(text: string): string {
  const url = new URL(text);
  return `${url.hostname.replace(/\.$/, '')}:${url.port === '' ? '443' : url.port}`;
}

const MESSAGES: Readonly<Record<UrlRefusal, string>> = {
  not_a_url: 'url must be an absolute URL without spaces.',
  https_required: 'url must start with https://.',
  credentials: 'url must not contain a user name or password.',
  fragment: 'url must not have a fragment.',
  too_long: 'url must be at most 2,000 characters, percent-encoded.',
  forbidden_address: 'url must resolve only to public IP addresses.',
};
