import { TEXT_PATTERNS, WITHOUT_NUL } from '../visible-text.ts';
import type { Components } from './components.ts';

type Json = Readonly<Record<string, unknown>>;

/**
 * A schema in its published form, which the generators of other languages can read. Every titled schema in it becomes a
 * component. Keywords below `published` are only published: the use case checks them, because their error has a code of
 * its own or the value is normalized first.
 */
export function publishSchema(schema: unknown, components: Components): unknown {
  // Through JSON, which removes TypeBox's own marks.
  return publish(JSON.parse(JSON.stringify(schema)), components);
}

/**
 * The schema of a body with the restrictions that parse-body.ts applies to every text. Lone surrogates are also
 * refused, but no pattern that all languages support can express this.
 */
export function withoutNul(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema), (_key, value) =>
    isAnyText(value) ? { ...value, pattern: WITHOUT_NUL } : value,
  );
}

function isAnyText(value: { type?: unknown; published?: object } | null): boolean {
  return (
    value?.type === 'string' &&
    !['pattern', 'enum', 'const', 'format'].some((key) => key in { ...value, ...value.published })
  );
}

function publish(schema: Json, components: Components): unknown {
  const { title, published: documented, ...own } = schema;
  const published = publishOwn({ ...own, ...(documented as Json | undefined) }, components);
  return typeof title === 'string' ? components.schema(title, published) : published;
}

function publishOwn(schema: Json, components: Components): Json {
  const { anyOf, const: value, pattern, patternProperties, ...rest } = schema;
  const parts = Object.fromEntries(
    Object.entries(rest).map(([key, each]) => [key, publishPart(key, each, components)]),
  );
  return {
    ...parts,
    ...describeValues(rest),
    ...(value === undefined ? {} : publishConst(value, rest.description)),
    ...(pattern === undefined ? {} : { pattern: portable(String(pattern)) }),
    ...(patternProperties === undefined
      ? {}
      : { additionalProperties: valuesOf(patternProperties as Json, components) }),
    ...(Array.isArray(anyOf) ? publishUnion(anyOf, parts, components) : {}),
  };
}

function publishPart(key: string, value: unknown, components: Components): unknown {
  switch (key) {
    case 'properties':
      return Object.fromEntries(
        Object.entries(value as Record<string, Json>).map(([name, each]) => [name, publish(each, components)]),
      );
    case 'oneOf':
      return (value as readonly Json[]).map((each) => publish(each, components));
    case 'items':
    case 'additionalProperties':
      return typeof value === 'object' && value !== null ? publish(value as Json, components) : value;
    default:
      return value;
  }
}

/**
 * What generators need to choose a type for the values: that a list of values consists of text, and that a number may need
 * 64 bits. Without a format, some use 32.
 */
function describeValues({ type, enum: values, maximum }: Json): Json {
  if (Array.isArray(values)) {
    return { type: 'string' };
  }
  if (type === 'number') {
    return { format: 'double' };
  }
  const isSmall = typeof maximum === 'number' && maximum < 2 ** 31;
  return type === 'integer' && !isSmall ? { format: 'int64' } : {};
}

/** Some generators reject `const`, and an `enum` of booleans. */
function publishConst(value: unknown, description: unknown): Json {
  return typeof value === 'boolean' ? { description: description ?? `Always ${value}.` } : { enum: [value] };
}

/** TypeBox writes a record as a pattern for every name, which generators treat as an object without members. */
function valuesOf(patterns: Json, components: Components): unknown {
  const [values, ...others] = Object.values(patterns);
  if (others.length > 0) {
    throw new Error('the document cannot tell members with different patterns apart');
  }
  return publish(values as Json, components);
}

/**
 * A nullable schema says so by its type if it has its own, unless it is a list of values, which would have to include
 * null. Unions of objects name the member that distinguishes them.
 */
function publishUnion(branches: readonly Json[], rest: Json, components: Components): Json {
  const published = branches.map((each) => publish(each, components) as Json);
  const [only, ...others] = published.filter((each) => each.type !== 'null');
  const isNullable = others.length === 0 && published.length === 2;
  if (only === undefined || !isNullable || typeof only.type !== 'string' || only.enum !== undefined) {
    return describeDiscriminator(branches, published) ?? { anyOf: published };
  }
  return { ...only, ...rest, type: [only.type, 'null'] };
}

/** Clients in other languages choose the branch by this, instead of trying each. */
function describeDiscriminator(branches: readonly Json[], published: readonly Json[]): Json | undefined {
  const members = branches.map((each) => (each.properties ?? {}) as Readonly<Record<string, Json>>);
  const propertyName = Object.keys(members[0] ?? {}).find((name) => {
    const values = members.map((each) => each[name]?.const);
    return values.every((value) => typeof value === 'string') && new Set(values).size === branches.length;
  });
  if (propertyName === undefined) {
    return undefined;
  }
  const mapping = members.map((each, index) => [each[propertyName]?.const, published[index]?.$ref]);
  return { oneOf: published, discriminator: { propertyName, mapping: Object.fromEntries(mapping) } };
}

/** Converts a pattern to one that every language's engine supports. */
function portable(pattern: string): string {
  const known = TEXT_PATTERNS.get(pattern)?.portable;
  if (known === undefined && /\\[pP]\{/.test(pattern)) {
    throw new Error(`http/visible-text.ts has no portable form of the pattern ${pattern}`);
  }
  return known ?? pattern;
}
