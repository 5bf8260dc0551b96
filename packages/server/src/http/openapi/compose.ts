import { isDeepStrictEqual } from 'node:util';

type Json = Readonly<Record<string, unknown>>;

/** An object's schema that says nothing but what its members are. */
interface Plain {
  required: readonly string[];
  properties: Json;
  rest: Json;
}

/** Fewer members in common are a coincidence rather than one object that extends another. */
const FEWEST_MEMBERS = 3;

/** Schemas by their names, where each that has all members of another and more refers to it and names only its own. */
export function composeSchemas(schemas: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const plain = new Map(
    Object.entries(schemas).flatMap(([name, schema]): Array<[string, Plain]> => {
      const found = readPlain(Object(schema));
      return found === undefined ? [] : [[name, found]];
    }),
  );
  const branches = branchesOfUnions(schemas);
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const own = branches.has(name) ? undefined : plain.get(name);
      const base = own === undefined ? undefined : findBase(own, plain);
      return [name, own === undefined || base === undefined ? schema : extend(base, own)];
    }),
  );
}

/** Some generators look for the member that tells the branches apart in the branch itself. */
function branchesOfUnions(schemas: Json): Set<string> {
  const found = new Set<string>();
  JSON.stringify(schemas, (key, value) => {
    if (key === 'discriminator') {
      for (const reference of Object.values(value.mapping)) {
        found.add(String(reference).replace('#/components/schemas/', ''));
      }
    }
    return value;
  });
  return found;
}

function readPlain({ type, required = [], properties, description, examples, ...others }: Json): Plain | undefined {
  const isPlain = type === 'object' && properties !== undefined && Object.keys(others).length === 0;
  const rest = {
    ...(description === undefined ? {} : { description }),
    ...(examples === undefined ? {} : { examples }),
  };
  return isPlain ? { required: required as readonly string[], properties: properties as Json, rest } : undefined;
}

/** The largest schema that has only members of this one. */
function findBase(own: Plain, plain: ReadonlyMap<string, Plain>): { name: string; schema: Plain } | undefined {
  const [best] = [...plain]
    .filter(([, { properties }]) => isWithin(Object.keys(properties).length, own))
    .filter(([, base]) => extendsBase(own, base))
    .sort(([, one], [, other]) => Object.keys(other.properties).length - Object.keys(one.properties).length);
  return best === undefined ? undefined : { name: best[0], schema: best[1] };
}

function isWithin(members: number, own: Plain): boolean {
  return members >= FEWEST_MEMBERS && members < Object.keys(own.properties).length;
}

function extendsBase(own: Plain, base: Plain): boolean {
  return (
    base.required.every((name) => own.required.includes(name)) &&
    Object.entries(base.properties).every(([name, schema]) => isDeepStrictEqual(own.properties[name], schema))
  );
}

function extend({ name, schema }: { name: string; schema: Plain }, own: Plain): unknown {
  const required = own.required.filter((each) => !schema.required.includes(each));
  const properties = Object.entries(own.properties).filter(([each]) => !(each in schema.properties));
  const { examples, ...rest } = own.rest;
  const further = furtherExamples(examples, schema);
  return {
    ...rest,
    ...(examples === undefined || further !== undefined ? {} : { examples }),
    allOf: [
      { $ref: `#/components/schemas/${name}` },
      {
        type: 'object',
        ...(required.length === 0 ? {} : { required }),
        properties: Object.fromEntries(properties),
        ...(further === undefined ? {} : { examples: further }),
      },
    ],
  };
}

/** What an example says beyond that of the base; undefined where it differs from it, so that it must stay whole. */
function furtherExamples(examples: unknown, { properties, rest }: Plain): unknown[] | undefined {
  const [own, base] = [examples, rest.examples].map((each) => (Array.isArray(each) ? each[0] : undefined));
  if (own === undefined || base === undefined) {
    return undefined;
  }
  const members = Map.groupBy(Object.entries(own), ([name]) => name in properties);
  const inherited = Object.fromEntries(members.get(true) ?? []);
  return isDeepStrictEqual(inherited, base) ? [Object.fromEntries(members.get(false) ?? [])] : undefined;
}
