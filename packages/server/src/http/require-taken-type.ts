import type { IncomingHttpHeaders } from 'node:http';
import type { Route } from './route.ts';
import { unsupportedType } from './translate-error.ts';

/** YAML is a content type of a few routes alone, and for the parser of all. Throws unsupported_media_type. */
export function requireTakenType(headers: IncomingHttpHeaders, { takesYaml }: Route): void {
  if (takesYaml !== true && headers['content-type']?.toLowerCase().startsWith(YAML_BODY) === true) {
    throw unsupportedType();
  }
}

export const JSON_BODY = 'application/json';
export const YAML_BODY = 'application/yaml';
