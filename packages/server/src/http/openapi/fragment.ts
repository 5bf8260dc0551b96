import { HTTP_ERRORS } from '../errors.ts';
import { errorHeaders } from './headers.ts';
import { errorResponses } from './responses.ts';

/** The operations of a path, and where they are served if that is elsewhere. */
type DescribedPath = Readonly<Record<string, unknown>>;

/** What is served in addition to the table of routes, in the form of OpenAPI 3.1. */
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
  /** The schema of what the event is about, a part of `schema`, and an example of it. */
  object: { title: string };
  example: object;
}

/** The headers that every error with a status carries. */
export function headersOfStatus(status: number): Record<string, unknown> {
  return errorHeaders(status, []);
}

/** Refusals that come before the route is known, so they are the same for every route. */
export function refusalsOfEverything(): Record<string, object> {
  const { https_required, request_timeout, headers_too_large } = HTTP_ERRORS;
  return errorResponses({ https_required, request_timeout, headers_too_large });
}

/** What the document says besides its operations. */
export interface ApiFacts {
  baseUrl: string;
  version: string;
  /** What each section is about, by its tag. */
  sections: Readonly<Record<string, string>>;
}
