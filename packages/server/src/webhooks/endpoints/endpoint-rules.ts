import type { EventDefinition } from '../../events/index.ts';
import { type ApiError, httpError, invalidRequest } from '../../http/index.ts';
import { isKnownPattern } from '../events/subscription-rules.ts';
import type { Sender, UrlRefusal } from '../sending/sender.ts';

/** As many live endpoints as an organization can have (contract §9). */
export const MAX_ENDPOINTS = 50;

/**
 * The refusal of a URL that may not be an endpoint's, undefined when it may. Asks name servers, so it is asked before a
 * transaction is opened; it is thrown inside, where a request that is sent again gets its kept answer and not a new judgement.
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

/** What an endpoint subscribes to, each once. Throws validation_failed for what is no type, group or `*`. */
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

/** The refusal of one endpoint more than there may be. Nothing is wrong with the request: once one is deleted, it succeeds. */
export function tooManyEndpoints(): ApiError {
  return httpError(
    'conflict',
    `An organization can have at most ${MAX_ENDPOINTS} webhook endpoints. Delete one first.`,
  );
}

/** Host and port, the default one written out and no dot at the end: endpoints of one receiver have the same. */
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
