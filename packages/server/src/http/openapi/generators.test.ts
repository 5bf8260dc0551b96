import { describe, expect } from 'vitest';
import { createTest } from '../../../test/harness/fixtures.ts';
import { wholeDocument } from '../../../test/harness/whole-document.ts';
import { pascalCase } from './components.ts';

interface Operation {
  operationId: string;
  'x-internal'?: boolean;
}

interface Published {
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  webhooks: Readonly<Record<string, { post: Operation }>>;
  components: { schemas: Readonly<Record<string, object>>; parameters: object };
}

/** What can be one of several objects. */
interface Union {
  oneOf?: ReadonlyArray<{ properties: Readonly<Record<string, { enum?: readonly string[] }>> }>;
  discriminator?: { propertyName: string; mapping: Readonly<Record<string, string>> };
}

const it = createTest().extend('published', { scope: 'file' }, ({ app }): Published => {
  return JSON.parse(JSON.stringify(app.service.describeApi()));
});

// Each of these broke a client that openapi-generator, openapi-python-client or oapi-codegen made.
describe('the API document, for those who generate a client from it,', () => {
  it('gives no schema a name that generators make from an operation', ({ published }) => {
    const operations = Object.values(published.paths).flatMap((methods) => Object.values(methods));
    const taken = new Set(
      operations.flatMap(({ operationId }) =>
        ['Request', 'Response', 'Params'].map((ending) => `${pascalCase(operationId)}${ending}`),
      ),
    );
    const names = Object.keys(published.components.schemas);
    expect(names.length).toBeGreaterThan(operations.length);
    expect(names.filter((name) => taken.has(name))).toEqual([]);
  });

  it('gives no schema a name that is too long for the name of a file', ({ published }) => {
    // Java: two classes of a class, in one file name of at most 255 bytes, and in paths of 260 on Windows.
    const names = Object.keys(published.components.schemas);
    expect(names.filter((name) => name.length > 80)).toEqual([]);
  });

  it('names no two schemas that share a value in their lists of values', ({ published }) => {
    // Go: every value of a named list is a constant of the package, whatever its case and punctuation.
    const constants = Object.values(published.components.schemas).flatMap((schema) =>
      'enum' in schema && Array.isArray(schema.enum)
        ? schema.enum.map((value) => String(value).toUpperCase().replaceAll(/\W/g, '_'))
        : [],
    );
    expect(constants.length).toBeGreaterThan(10);
    expect(constants.filter((constant, at) => constants.indexOf(constant) !== at)).toEqual([]);
  });

  it('names the discriminator of each union', ({ published }) => {
    const document = wholeDocument(published);
    const unions: Union[] = [];
    JSON.stringify(document, (_key, value) => {
      if (countObjects(value?.anyOf) > 1 || countObjects(value?.oneOf) > 1) {
        unions.push(value);
      }
      return value;
    });
    expect(unions.length).toBeGreaterThan(1);
    for (const { oneOf = [], discriminator } of unions) {
      const values = oneOf.flatMap(({ properties }) => properties[discriminator?.propertyName ?? '']?.enum ?? []);
      expect(Object.keys(discriminator?.mapping ?? {})).toEqual(values);
      expect(values).toHaveLength(oneOf.length);
    }
  });

  it('has nothing that the generators of other languages refuse', ({ published }) => {
    // An example may be a schema as we keep it: of a type of event.
    const text = JSON.stringify(published, (key, value) => (key.startsWith('example') ? undefined : value));
    const found = (pattern: RegExp) => text.match(pattern) ?? [];
    expect(found(/"const":|\\\\[pP]\{|"patternProperties"/g)).toEqual([]);
    // What may be null has a type that says so, unless it is one of several schemas.
    expect(found(/"anyOf":\[\{"type":"\w+"[^[\]{}]*\},\{"type":"null"\}\]/g)).toEqual([]);
  });

  it('composes no schema of others, because members that may be null would lose that in clients', ({ published }) => {
    expect(JSON.stringify(published)).not.toContain('"allOf"');
  });

  it('refers to everything that a webhook needs from a path too, because some generators drop the rest', ({
    published,
  }) => {
    const fromPaths = namesReferredTo(published.paths, published);
    const fromWebhooks = namesReferredTo(published.webhooks, published);
    expect(fromWebhooks.size).toBeGreaterThan(Object.keys(published.webhooks).length);
    expect([...fromWebhooks].filter((name) => !fromPaths.has(name))).toEqual([]);
  });

  it('marks webhooks as internal, so that no client gets a method that sends events', ({ published }) => {
    const operations = Object.values(published.webhooks).map(({ post }) => post);
    expect(operations.length).toBeGreaterThan(20);
    expect(operations.filter((each) => each['x-internal'] !== true)).toEqual([]);
  });

  it('has its webhooks shown to readers of /docs', async ({ app, published }) => {
    const { body } = await app.api.get('/docs');
    expect(body).toContain('data-url="/docs/openapi.json"');
    const shown = (await app.api.get('/docs/openapi.json')).body;
    expect(JSON.stringify(shown)).not.toContain('x-internal');
    expect(Object.keys(shown.webhooks)).toEqual(Object.keys(published.webhooks));
  });
});

/** The components that a part of the document refers to, and those that these refer to. */
function namesReferredTo(part: unknown, document: Published): Set<string> {
  const found = new Set<string>();
  const visit = (value: unknown) =>
    JSON.stringify(value, (key, each) => {
      if (key === '$ref' && !found.has(each)) {
        found.add(each);
        visit(
          each
            .split('/')
            .slice(1)
            .reduce((at: Record<string, unknown>, name: string) => at[name], document),
        );
      }
      return each;
    });
  visit(part);
  return found;
}

function countObjects(branches: ReadonlyArray<{ type?: string }> = []): number {
  return branches.filter(({ type }) => type === 'object').length;
}
