import type { TObject } from 'typebox';
import { type ApiError, invalidRequest } from './errors.ts';

/**
 * Reads the query parameters of a route that is not a list, by the schema that also documents them: texts and integers,
 * each given at most once. Throws invalid_request.
 */
export function readQuery(schema: TObject, text: string, check: (value: unknown) => ApiError | undefined): unknown {
  const values: Record<string, unknown> = {};
  for (const [name, value] of new URLSearchParams(text)) {
    if (Object.hasOwn(values, name)) {
      throw invalidRequest(name, 'type', `The query parameter ${name} was sent more than once.`);
    }
    if (!Object.hasOwn(schema.properties, name)) {
      throw invalidRequest(name, 'unknown', `Unknown query parameter: ${name}.`);
    }
    if (value.includes('\0')) {
      throw invalidRequest(name, 'format', `${name} must not contain NUL characters.`);
    }
    const isInteger =
      schema.properties[name] !== undefined &&
      'type' in schema.properties[name] &&
      schema.properties[name].type === 'integer';
    values[name] = isInteger && /^-?\d{1,15}$/.test(value) ? Number(value) : value;
  }
  const fault = check(values);
  if (fault !== undefined) {
    throw fault;
  }
  return values;
}
