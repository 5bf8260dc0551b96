import { type TSchema, Type } from 'typebox';
import { Check } from 'typebox/value';
import { FEATURE_KEY_PATTERN } from '../products/product.ts';
import { type CatalogueFault, pathIn } from './catalogue.ts';

/**
 * Every violation of a schema, by its path, with what is expected there. The validator itself reports only a few
 * errors, in terms of keywords; the author of a file needs all of them, in plain words.
 */
export function explainFaults(schema: TSchema, value: unknown, path = ''): CatalogueFault[] {
  if (Type.IsObject(schema)) {
    return isMapping(value) ? explainObject(schema, value, path) : [fault(path, schema)];
  }
  if (Type.IsArray(schema) && Array.isArray(value)) {
    const ownFaults = Check({ ...schema, items: {} }, value) ? [] : [fault(path, schema)];
    return [...ownFaults, ...value.flatMap((item, index) => explainFaults(schema.items, item, `${path}[${index}]`))];
  }
  if (Type.IsRecord(schema) && isMapping(value)) {
    return explainRecord(schema, value, path);
  }
  return Check(schema, value) ? [] : [fault(path, schema)];
}

type Mapping = Readonly<Record<string, unknown>>;

function isMapping(value: unknown): value is Mapping {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function explainObject(schema: ReturnType<typeof Type.Object>, value: Mapping, path: string): CatalogueFault[] {
  const known = Object.entries(schema.properties);
  const faults = known.flatMap(([name, property]) => {
    const place = pathIn(path, name);
    if (!Object.hasOwn(value, name)) {
      const isRequired = (schema.required ?? []).includes(name);
      return isRequired ? [{ name: place, problem: `is required and must be ${expectationOf(property)}` }] : [];
    }
    return explainFaults(property, value[name], place);
  });
  const rest = Object.keys(value).filter((name) => !Object.hasOwn(schema.properties, name));
  return [...faults, ...rest.flatMap((name) => explainRest(schema, name, value[name], path))];
}

function explainRest(
  schema: ReturnType<typeof Type.Object>,
  name: string,
  value: unknown,
  path: string,
): CatalogueFault[] {
  const more = 'additionalProperties' in schema ? schema.additionalProperties : false;
  if (Type.IsSchema(more) && KEY.test(name)) {
    return explainFaults(more, value, pathIn(path, name));
  }
  const known = [
    ...Object.keys(schema.properties),
    ...(Type.IsSchema(more) ? [`and names with ${KEY_FORM}`] : []),
  ].join(', ');
  return [{ name: pathIn(path, name), problem: `is unknown. Known names: ${known}` }];
}

function explainRecord(schema: ReturnType<typeof Type.Record>, value: Mapping, path: string): CatalogueFault[] {
  const [pattern = '', item]: unknown[] = Object.entries(schema.patternProperties)[0] ?? [];
  const isFeatures = pattern === FEATURE_KEY_PATTERN;
  const names = isFeatures ? new RegExp(FEATURE_KEY_PATTERN) : KEY;
  const form = isFeatures ? FEATURE_KEY_FORM : KEY_FORM;
  const { length } = Object.keys(value);
  const ownFaults = 'maxProperties' in schema && length > Number(schema.maxProperties) ? [fault(path, schema)] : [];
  const faults = Object.entries(value).flatMap(([name, each]) =>
    names.test(name) && Type.IsSchema(item)
      ? explainFaults(item, each, pathIn(path, name))
      : [{ name: pathIn(path, name), problem: `must have a name with ${form}` }],
  );
  return [...ownFaults, ...faults];
}

/** Names that the author of the file chooses. */
const KEY = /^[a-z][a-z0-9_]{0,63}$/;
const FEATURE_KEY_FORM = '1 to 64 letters, digits, and . _ -, beginning with a letter';
const KEY_FORM = '1 to 64 of the characters a-z, 0-9, and _, beginning with a letter';

function fault(path: string, schema: TSchema): CatalogueFault {
  return { name: path === '' ? 'the file' : path, problem: `must be ${expectationOf(schema)}` };
}

function expectationOf(schema: TSchema): string {
  return 'description' in schema && typeof schema.description === 'string' ? schema.description : 'something else';
}
