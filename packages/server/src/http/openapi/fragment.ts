import { HTTP_ERRORS } from '../errors.ts';
import { errorHeaders } from './headers.ts';
import { errorResponses } from './responses.ts';

/** The operations of a path, and their server if it is another one. */
type DescribedPath = Readonly<Record<string, unknown>>;

/** OpenAPI 3.1 for endpoints outside the table of routes. */
export interface ApiFragment {
  tag: { name: string; description: string };
  paths: Readonly<Record<string, DescribedPath>>;
  securitySchemes: Readonly<Record<string, unknown>>;
}

/** A request that the service sends to webhook endpoints. */
export interface DescribedWebhook {
  name: string;
  description: string;
  parameters: ReadonlyArray<{ name: string; required: boolean }>;
  schema: object;
  /** The schema of the event's object, a part of `schema`, with an example. */
  object: { title: string };
  example: object;
}

/** The headers of every error with a status. */
export function headersOfStatus(status: number): Record<string, unknown> {
  return errorHeaders(status, []);
}

/** Refusals before the route is known, which are the same for every route. */
export function refusalsOfEverything(): Record<string, object> {
  const { https_required, request_timeout, headers_too_large } = HTTP_ERRORS;
  return errorResponses({ https_required, request_timeout, headers_too_large });
}

/** The parts of the document besides its operations. */
export interface ApiFacts {
  baseUrl: string;
  version: string;
  /** The description of each section, by its tag. */
  sections: Readonly<Record<string, string>>;
}
