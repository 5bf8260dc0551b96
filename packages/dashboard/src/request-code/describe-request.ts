import { type FetchRequest, Seathold } from '@seathold/client';
import { actingFor, type RecordedCall } from '../api/index.ts';
import type { DescribedRequest } from './format-curl.ts';

/**
 * Determines the request of a call with the client library itself, without sending it. So it is exactly what a program
 * would send, and contains no secret of this browser. Undefined for a call without a request.
 */
export async function describeRequest({
  resource,
  method,
  values,
}: RecordedCall): Promise<DescribedRequest | undefined> {
  let seen: (FetchRequest & { url: string }) | undefined;
  const client = new Seathold({
    baseUrl: window.location.origin,
    organizationId: actingFor,
    maxRetries: 0,
    fetch: async (url, request) => {
      seen = { url, ...request };
      throw new Error('nothing is sent');
    },
  });
  const run: unknown = Reflect.get(Object(Reflect.get(client, resource)), method);
  if (typeof run === 'function') {
    await Promise.resolve(Reflect.apply(run, undefined, values)).catch(() => undefined);
  }
  return seen === undefined
    ? undefined
    : { method: seen.method, url: seen.url, organizationId: seen.headers['x-organization-id'], body: seen.body };
}
