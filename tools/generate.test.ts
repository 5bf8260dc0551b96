import { describe, expect, it } from 'vitest';
import { type ApiDocument, readDocument } from './generate/api-document.ts';
import { apiTypes } from './generate/api-types.ts';
import { eventCatalogue } from './generate/event-catalogue.ts';
import { type Schema, typeOf } from './generate/schema-type.ts';
import { settingsPage } from './generate/settings-page.ts';

const unnamed = () => undefined;
const Meta = { type: 'object', properties: { request_id: { type: 'string' } } };

describe('typeOf', () => {
  it.each<[Schema, string]>([
    [{ type: 'string' }, 'string'],
    [{ type: 'integer' }, 'number'],
    [{ type: ['string', 'null'] }, 'string | null'],
    [{ const: 'active', type: 'string' }, "'active'"],
    [{ enum: ['a', "it's", 3] }, "'a' | 'it\\'s' | 3"],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 'string | null'],
    [{ oneOf: [{ type: 'integer' }, { type: 'number' }] }, 'number'],
    [{ $ref: '#/components/schemas/License' }, 'License'],
    [{ type: 'array', items: { $ref: '#/components/schemas/License' } }, 'License[]'],
    [{ type: 'array', items: { type: ['string', 'null'] } }, 'Array<string | null>'],
    [{ type: 'object' }, 'Record<string, unknown>'],
    [{ type: 'object', patternProperties: { '^.*$': { type: 'boolean' } } }, 'Record<string, boolean>'],
    [{ type: 'object', additionalProperties: { type: 'integer' } }, 'Record<string, number>'],
    [{}, 'unknown'],
  ])('turns %j into the type %s', (schema, type) => {
    expect(typeOf(schema, unnamed)).toBe(type);
  });

  it('marks optional members, keeps descriptions and quotes names that need it', () => {
    const schema: Schema = {
      type: 'object',
      required: ['id'],
      properties: { id: { type: 'string', description: 'Whose.' }, 'content-type': { type: 'string' } },
    };
    expect(typeOf(schema, unnamed)).toBe("{\n  /** Whose. */\n  id: string;\n  'content-type'?: string;\n}");
  });

  it('breaks a long enumeration into lines', () => {
    const values = Array.from({ length: 8 }, (_, position) => `a-rather-long-value-${position}`);
    const type = typeOf({ type: 'array', items: { enum: values } }, unnamed);
    expect(type.split('\n')).toHaveLength(10);
    expect(type.endsWith("\n  | 'a-rather-long-value-7'\n>")).toBe(true);
  });

  it('refuses an unknown keyword, rather than say less than the schema', () => {
    const schema = JSON.parse('{"allOf": [{"type": "string"}]}');
    expect(() => typeOf(schema, unnamed)).toThrow('allOf');
  });
});

describe('apiTypes', () => {
  it('declares each named schema once, sorted, including those inside others', () => {
    const types = apiTypes(api({ data: { $ref: '#/components/schemas/Outer' } }));
    expect(types.match(/export interface (Inner|Outer) /g)).toEqual([
      'export interface Inner ',
      'export interface Outer ',
    ]);
    expect(types).toContain('  inner: Inner;\n');
  });

  it('describes an operation: parameters, body, data and error codes', () => {
    const types = apiTypes(api({ data: { $ref: '#/components/schemas/Outer' } }));
    expect(types).toContain(`  /** Change a thing. */
  changeThing: {
    method: 'PATCH';
    path: '/v1/things/{id}';
    params: {
      id: string;
    };
    body: ChangeThingBody;
    data: Outer;
    errors: CommonErrorCode | TokenErrorCode;
  };`);
    expect(types).toContain('export interface ChangeThingBody {\n  name: string;\n}');
  });

  it('lists every error code with its status, details and meaning', () => {
    expect(apiTypes(api({ data: {} }))).toContain(
      `  /** Nothing is free. */\n  full: {\n    status: 409;\n    details: {\n      seats: number;\n    };\n  };`,
    );
  });

  it('reads the status of a code that any operation can answer from its description', () => {
    const text = JSON.stringify(api({ data: {} })).replace(
      '"409":{"description":"`full`: Nothing is free."',
      '"default":{"description":"`full` (503): Come back later."',
    );
    expect(apiTypes(JSON.parse(text))).toContain('  /** Come back later. */\n  full: {\n    status: 503;');
  });

  it('writes out the members of a schema that extends another', () => {
    const extended = { allOf: [{ $ref: '#/components/schemas/Outer' }, { properties: { more: { type: 'string' } } }] };
    const document = api({ data: { $ref: '#/components/schemas/Extended' } });
    const schemas = { ...document.components.schemas, Extended: extended };
    expect(apiTypes(readDocument(JSON.stringify({ ...document, components: { schemas } })))).toContain(
      'export interface Extended {\n  inner: Inner;\n  more?: string;\n}',
    );
  });

  it('distinguishes lists, empty responses and responses without an envelope', () => {
    const list = { data: { type: 'array', items: { $ref: '#/components/schemas/Outer' } }, pagination: {} };
    expect(apiTypes(api(list))).toContain('    data: Outer[];\n    isList: true;');
    expect(apiTypes(api(undefined))).toContain('    data: undefined;');
    expect(apiTypes(api({}, 'application/pdf'))).toContain("contentType: 'application/pdf';\n    data: ArrayBuffer;");
  });

  it('refuses two schemas with the same name', () => {
    const other: Schema = { title: 'Inner', type: 'object', properties: { other: { type: 'string' } } };
    const data = { type: 'object', properties: { outer: { $ref: '#/components/schemas/Outer' }, other } };
    expect(() => apiTypes(api({ data }))).toThrow('two different schemas are named Inner');
  });

  it('returns the same text for the same document', () => {
    expect(apiTypes(api({ data: {} }))).toBe(apiTypes(api({ data: {} })));
  });
});

describe('the pages', () => {
  it('show an event with nested members, and which ones are optional', () => {
    const schema = JSON.parse(
      JSON.stringify({
        type: 'object',
        required: ['lines'],
        properties: {
          lines: {
            type: 'array',
            items: { type: 'object', properties: { at: { type: 'string', format: 'date-time' } } },
          },
        },
      }),
    );
    const page = eventCatalogue([{ type: 'a.thing', description: 'It was.', schema, example: { lines: [] } }]);
    expect(page).toContain('| [`a.thing`](#athing) | It was. |');
    expect(page).toContain('| `lines` | array of object |  |\n| `lines[].at` | timestamp | Optional. |');
  });

  it('describe an event that is not sent yet, and the members of an object that may be null', () => {
    const at = { type: 'object', required: ['at'], properties: { at: { type: 'string', format: 'date-time' } } };
    const end = { anyOf: [at, { type: 'null' }] };
    const schema = JSON.parse(JSON.stringify({ type: 'object', required: ['end'], properties: { end } }));
    const page = eventCatalogue([
      { type: 'a.plan', description: 'It will.', schema, example: { end: null }, isPlanned: true },
    ]);
    expect(page).toContain('| [`a.plan`](#aplan) | It will. (**Not sent yet.**) |');
    expect(page).toContain('## a.plan\n\nIt will. (**Not sent yet.**)');
    expect(page).toContain('| `end` | object or null |  |\n| `end.at` | timestamp |  |');
  });

  it('show a setting with its default, and that it is secret', () => {
    const page = settingsPage([
      { name: 'A', description: 'One | two.', default: '8443' },
      { name: 'B', description: 'Hidden.', default: null, secret: true },
    ]);
    expect(page).toContain('| `A` | `8443` | One \\| two. |\n| `B` | not set | Hidden. Secret. |');
  });
});

/** A document with one operation, whose success response has these members, or no body at all. */
function api(success: Record<string, Schema> | undefined, contentType = 'application/json'): ApiDocument {
  const Inner: Schema = { title: 'Inner', type: 'object', required: ['id'], properties: { id: { type: 'string' } } };
  const Outer: Schema = { title: 'Outer', type: 'object', required: ['inner'], properties: { inner: Inner } };
  const full: Schema = {
    type: 'object',
    properties: {
      code: { enum: ['full'] },
      details: { type: 'object', required: ['seats'], properties: { seats: { type: 'integer' } } },
    },
  };
  const answered = { schema: { type: 'object', properties: { ...success, meta: Meta } } };
  return {
    paths: {
      '/v1/things/{id}': {
        patch: {
          operationId: 'changeThing',
          summary: 'Change a thing',
          security: [{ bearer: [] }],
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
          requestBody: {
            content: {
              'application/json': {
                schema: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
              },
            },
          },
          responses: {
            '200': { description: '', ...(success === undefined ? {} : { content: { [contentType]: answered } }) },
            '409': {
              description: '`full`: Nothing is free.',
              content: { 'application/json': { schema: { type: 'object', properties: { error: full } } } },
            },
          },
        },
      },
    },
    components: { schemas: { Outer } },
  };
}
