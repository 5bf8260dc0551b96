import { type TSchema, Type } from 'typebox';

/**
 * A response field with a secret of the organization. Its members see it once; for staff and operator tokens that act
 * for them, this mark alone makes it null, so that no use case can forget it.
 */
export function SecretText(description: string) {
  return Type.Union([Type.String(), Type.Null()], {
    description: `${description} Null for staff and operator tokens.`,
    [MARK]: true,
  });
}

/** Removes the marked fields from a response; undefined if its schema has none. */
export function createRedaction(schema: TSchema | undefined): ((data: unknown) => unknown) | undefined {
  return schema !== undefined && hasSecret(schema) ? (data) => redact(schema, data) : undefined;
}

/** Published unchanged, as an OpenAPI extension. */
const MARK = 'x-secret';

type Json = Readonly<Record<string, unknown>>;

function hasSecret(schema: unknown): boolean {
  return (
    typeof schema === 'object' &&
    schema !== null &&
    (MARK in schema || Object.values(schema).some((part) => hasSecret(part)))
  );
}

function redact(schema: unknown, data: unknown): unknown {
  if (typeof schema !== 'object' || schema === null || data === null || data === undefined) {
    return data;
  }
  if (MARK in schema) {
    return null;
  }
  const { properties, items, anyOf } = schema as { properties?: Json; items?: unknown; anyOf?: readonly unknown[] };
  if (Array.isArray(data)) {
    return data.map((each) => redact(items, each));
  }
  if (typeof data !== 'object') {
    return data;
  }
  const within = anyOf?.reduce<unknown>((shown, each) => redact(each, shown), data) ?? data;
  return Object.fromEntries(
    Object.entries(within as Json).map(([name, value]) => [name, redact(properties?.[name], value)]),
  );
}
