interface Reference {
  $ref: string;
}

/** Components that operations share, each stored once under its name. */
export class Components {
  readonly #schemas = new Map<string, unknown>();
  readonly #responses = new Map<string, unknown>();
  readonly #parameters = new Map<string, unknown>();
  readonly #examples = new Map<string, unknown>();
  readonly #exampleOfSchema = new Map<string, unknown>();
  readonly #references = new Map<object, Reference>();

  schema(name: string, schema: unknown): Reference {
    note(this.#schemas, name, schema);
    return { $ref: `#/components/schemas/${name}` };
  }

  /** Most responses belong to many operations, so `publish` is called once per response. */
  response(response: object, publish: () => { name: string; published: unknown }): Reference {
    const known = this.#references.get(response);
    if (known !== undefined) {
      return known;
    }
    const { name, published } = publish();
    note(this.#responses, name, published);
    const reference = { $ref: `#/components/responses/${name}` };
    this.#references.set(response, reference);
    return reference;
  }

  parameter(name: string, parameter: unknown): Reference {
    note(this.#parameters, name, parameter);
    return { $ref: `#/components/parameters/${name}` };
  }

  example(name: string, value: unknown): Reference {
    note(this.#examples, name, { value });
    return { $ref: `#/components/examples/${name}` };
  }

  /** A schema has only one example, the first one given: operations with the same data need no other. */
  showExample(schema: string, value: unknown): void {
    this.#exampleOfSchema.set(schema, this.#exampleOfSchema.get(schema) ?? value);
  }

  schemas(): Record<string, unknown> {
    const schemas = Object.entries(sorted(this.#schemas)).map(([name, schema]) => {
      const example = this.#exampleOfSchema.get(name);
      return [name, example === undefined ? schema : { ...Object(schema), examples: [example] }];
    });
    return Object.fromEntries(schemas);
  }

  responses(): Record<string, unknown> {
    return sorted(this.#responses);
  }

  parameters(): Record<string, unknown> {
    return sorted(this.#parameters);
  }

  examples(): Record<string, unknown> {
    return sorted(this.#examples);
  }
}

/** Throws if something else has the name: clients would confuse the two. */
function note(known: Map<string, unknown>, name: string, value: unknown): void {
  const other = known.get(name);
  if (other !== undefined && JSON.stringify(other) !== JSON.stringify(value)) {
    throw new Error(`two different components are named ${name}`);
  }
  known.set(name, value);
}

function sorted(known: ReadonlyMap<string, unknown>): Record<string, unknown> {
  return Object.fromEntries([...known].sort(([one], [other]) => (one < other ? -1 : 1)));
}

export function titleOf(schema: object | undefined): string | undefined {
  return schema !== undefined && 'title' in schema ? String(schema.title) : undefined;
}

/** The codes or words as one name, such as `InvalidTokenOrTokenExpired`. */
export function nameOf(words: readonly string[]): string {
  return words.map(pascalCase).join('Or');
}

export function pascalCase(text: string): string {
  return text
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.replace(/^./, (first) => first.toUpperCase()))
    .join('');
}
