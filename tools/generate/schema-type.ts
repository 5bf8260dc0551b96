/** The JSON Schema that our API uses: what TypeBox makes of the room's schemas, and the envelopes of the API reference. */
export interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  enum?: readonly unknown[];
  const?: unknown;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  allOf?: readonly Schema[];
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  patternProperties?: Readonly<Record<string, Schema>>;
  additionalProperties?: boolean | Schema;
  items?: Schema;
  title?: string;
  description?: string;
}

/** Gives a titled schema that stands inside another one its name, and notes that it needs a declaration. */
export type NameTitled = (schema: Schema) => string | undefined;

/**
 * The TypeScript type of a schema, over several lines where it is an object. Throws on a keyword that it does not know: a
 * type that silently says less than the schema would be believed.
 */
export function typeOf(schema: Schema, nameTitled: NameTitled, indent = ''): string {
  const name = nameTitled(schema);
  return name ?? describe(schema, nameTitled, indent);
}

/** The same, but of the schema's members even where it has a name of its own: what its declaration says. */
export function describe(schema: Schema, nameTitled: NameTitled, indent = ''): string {
  for (const keyword of Object.keys(schema)) {
    if (!KNOWN.has(keyword)) {
      throw new Error(`tools/generate does not know the JSON Schema keyword ${keyword} in ${JSON.stringify(schema)}`);
    }
  }
  const inner = (each: Schema) => typeOf(each, nameTitled, indent);
  if (schema.$ref !== undefined) {
    return schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
  }
  if (schema.const !== undefined) {
    return literal(schema.const);
  }
  if (schema.enum !== undefined) {
    return unionOf(schema.enum.map(literal), indent);
  }
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches !== undefined) {
    return [...new Set(branches.map(inner))].join(' | ');
  }
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? ['unknown']);
  return types.map((type) => describeType(type, schema, nameTitled, indent)).join(' | ');
}

/** Whether the declaration can be an interface rather than a type alias. */
export function isPlainObject(schema: Schema): boolean {
  return schema.type === 'object' && schema.properties !== undefined;
}

/** A comment of one sentence or more as JSDoc, wrapped at 120 columns; nothing where there is nothing to say. */
export function comment(text: string | undefined, indent = ''): string {
  if (text === undefined || text === '') {
    return '';
  }
  const words = text.replaceAll('*/', '*\\/').split(/\s+/);
  if (`${indent}/** ${words.join(' ')} */`.length <= WIDTH) {
    return `${indent}/** ${words.join(' ')} */\n`;
  }
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && `${last} ${word}`.length <= WIDTH) {
      lines[lines.length - 1] = `${last} ${word}`;
    } else {
      lines.push(`${indent} * ${word}`);
    }
  }
  return `${indent}/**\n${lines.join('\n')}\n${indent} */\n`;
}

/** A union of texts, over several lines where one would be too long. */
export function unionOf(types: readonly string[], indent: string): string {
  const line = types.join(' | ');
  return indent.length + line.length > WIDTH - NAME_WIDTH
    ? types.map((type) => `\n${indent}  | ${type}`).join('')
    : line;
}

/** An array of a type that is written already. */
export function arrayOf(item: string, indent = ''): string {
  const end = item.startsWith('\n') ? `\n${indent}` : '';
  return /^\w+$/.test(item) ? `${item}[]` : `Array<${item}${end}>`;
}

/** A property's name as it appears in a type: quoted where TypeScript wants it. */
export function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`;
}

const WIDTH = 120;
/** What is left for the name that a type belongs to. */
const NAME_WIDTH = 20;

/** What says something about a value that TypeScript cannot say. */
const SILENT = [
  'title',
  'description',
  'x-secret',
  'format',
  'pattern',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'propertyNames',
  'dependentRequired',
  'default',
  'example',
  'examples',
  'deprecated',
  'discriminator',
];
const SPOKEN = ['$ref', 'type', 'enum', 'const', 'anyOf', 'oneOf', 'properties', 'required', 'patternProperties'];
const KNOWN = new Set([...SILENT, ...SPOKEN, 'additionalProperties', 'items']);

function describeType(type: string, schema: Schema, nameTitled: NameTitled, indent: string): string {
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
    case 'unknown':
      return type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return arrayOf(typeOf(schema.items ?? {}, nameTitled, indent), indent);
    case 'object':
      return describeObject(schema, nameTitled, indent);
    default:
      throw new Error(`tools/generate does not know the JSON Schema type ${type}`);
  }
}

function describeObject(schema: Schema, nameTitled: NameTitled, indent: string): string {
  const inside = `${indent}  `;
  const required = new Set(schema.required);
  const members = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const mark = required.has(name) ? '' : '?';
    const type = typeOf(property, nameTitled, inside);
    const gap = type.startsWith('\n') ? '' : ' ';
    return `${comment(property.description, inside)}${inside}${propertyName(name)}${mark}:${gap}${type};\n`;
  });
  if (members.length > 0) {
    return `{\n${members.join('')}${indent}}`;
  }
  const values = Object.values(schema.patternProperties ?? {});
  if (typeof schema.additionalProperties === 'object') {
    values.push(schema.additionalProperties);
  }
  const types = new Set(values.map((value) => typeOf(value, nameTitled, indent)));
  return `Record<string, ${types.size === 0 ? 'unknown' : [...types].join(' | ')}>`;
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'` : String(value);
}
