import { ACCESS } from '../access.ts';
import { HTTP_ERRORS } from '../errors.ts';
import { errorHeaders } from './headers.ts';
import { errorResponses } from './responses.ts';

/** What is served beside the table of routes, in the form of OpenAPI 3.1. */
export interface ApiFragment {
  tag: { name: string; description: string };
  paths: Readonly<Record<string, unknown>>;
  securitySchemes: Readonly<Record<string, unknown>>;
}

/** The headers that every answer of a status carries, wherever it comes from. */
export function headersOfStatus(status: number): Record<string, unknown> {
  return errorHeaders(status, []);
}

/** What is refused before anybody knows what it asks for, and so in the same way for all that is served. */
export function refusalsOfEverything(): Record<string, unknown> {
  const { https_required, request_timeout, headers_too_large } = HTTP_ERRORS;
  return errorResponses({ https_required, request_timeout, headers_too_large }, ACCESS.public);
}
