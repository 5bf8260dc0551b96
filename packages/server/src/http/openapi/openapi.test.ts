import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { describe, expect } from 'vitest';
import { createTest } from '../../../test/harness/fixtures.ts';
import { wholeDocument } from '../../../test/harness/whole-document.ts';

interface Header {
  required: boolean;
}

interface ShownSchema {
  type?: unknown;
  examples?: readonly unknown[];
  items?: ShownSchema;
  enum?: readonly unknown[];
  properties?: Readonly<Record<string, ShownSchema>>;
}

interface Content {
  schema: TSchema & ShownSchema;
  example?: unknown;
  examples?: Readonly<Record<string, { value: { error?: string | { code?: string } } }>>;
}

interface Response {
  description: string;
  headers?: Readonly<Record<string, Header>>;
  content?: Readonly<Record<string, Content>>;
}

interface Operation {
  operationId: string;
  tags: readonly string[];
  security: readonly object[];
  parameters: ReadonlyArray<{ name: string; in: string; required: boolean }>;
  requestBody?: { content: Readonly<Record<string, Content>> };
  responses: Readonly<Record<string, Response>>;
}

interface Document {
  info: { description: string };
  tags: ReadonlyArray<{ name: string; description?: string }>;
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  webhooks: Readonly<Record<string, { post: Pick<Operation, 'operationId' | 'requestBody'> }>>;
}

type Published = Readonly<Record<string, unknown>> & { components: { schemas: object } };

const it = createTest()
  .extend(
    'published',
    { scope: 'file' },
    ({ app }): Published => ({
      components: { schemas: {} },
      ...app.service.describeApi(),
    }),
  )
  .extend('document', { scope: 'file' }, ({ published }): Document => wholeDocument(published))
  /** Every operation, with its method. */
  .extend('operations', { scope: 'file' }, ({ document }) =>
    Object.values(document.paths).flatMap((methods) =>
      Object.entries(methods).map(([method, operation]) => ({ ...operation, method })),
    ),
  )
  .extend('responses', { scope: 'file' }, ({ operations }) =>
    operations.flatMap(({ operationId, responses }) =>
      Object.entries(responses).map(([status, response]) => ({
        ...response,
        name: `${operationId} ${status}`,
        status: Number(status),
      })),
    ),
  );

describe('the API reference', () => {
  it('describes every section', ({ document, operations }) => {
    const { tags } = document;
    expect(tags.filter(({ description }) => description === undefined)).toEqual([]);
    const used = new Set(operations.flatMap((operation) => operation.tags));
    expect(new Set(tags.map(({ name }) => name))).toEqual(used);
  });

  it('has an example of every request and response body, and each matches its schema', ({
    document,
    operations,
    responses,
  }) => {
    const bodies = [
      ...responses.flatMap(({ name, content }) => Object.values(content ?? {}).map((each) => ({ name, ...each }))),
      ...[...operations, ...Object.values(document.webhooks).map(({ post }) => post)].flatMap(
        ({ operationId, requestBody }) =>
          Object.values(requestBody?.content ?? {}).map((each) => ({ name: operationId, ...each })),
      ),
    ];
    expect(bodies.length).toBeGreaterThan(operations.length);
    const faults = bodies.flatMap(({ name, schema, example, examples }) => {
      const values =
        examples === undefined ? [example ?? exampleOf(schema)] : Object.values(examples).map((each) => each.value);
      const validator = Compile(schema);
      return values.flatMap((value) =>
        value === undefined ? [name] : [...validator.Errors(value)].map(faultOf(name)),
      );
    });
    expect(faults).toEqual([]);
  });

  it('is smaller than a megabyte', ({ published }) => {
    // Indented like the file in the repository.
    expect(JSON.stringify(published, undefined, 2).length).toBeLessThan(1_000_000);
  });

  it('shows an event type whose schema reads like the others in the document', ({ published }) => {
    const { EventType } = published.components.schemas as Record<
      string,
      { examples: ReadonlyArray<{ schema: object }> }
    >;
    expect(JSON.stringify(EventType?.examples[0]?.schema)).not.toContain('anyOf');
  });

  it('shows the example of a body with its schema, not again in each operation', ({ published }) => {
    const paths = published.paths as Document['paths'];
    const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
    const contents = operations.flatMap(({ operationId, responses: own = {}, requestBody }) =>
      [...Object.values(own), requestBody]
        .flatMap((body) => Object.values(body?.content ?? {}))
        .map((each) => ({ ...each, operationId })),
    );
    const named = contents.filter(({ schema }) => '$ref' in schema);
    expect(named.length).toBeGreaterThan(100);
    expect(named.filter(({ example }) => example !== undefined)).toEqual([]);
  });

  it('states that text in a body must not contain NUL', ({ operations }) => {
    const bodies = operations.map(({ requestBody }) => requestBody?.content['application/json']?.schema);
    const open: unknown[] = [];
    JSON.stringify(bodies, (_key, value) => {
      if (value?.type === 'string' && value.format === undefined && value.enum === undefined) {
        open.push(...(new RegExp(value.pattern ?? '').test('a\0b') ? [value] : []));
      }
      return value;
    });
    expect(open).toEqual([]);
  });

  it('names the schema of every JSON response', ({ published }) => {
    const paths = published.paths as Document['paths'];
    const unnamed = Object.values(paths).flatMap((methods) =>
      Object.values(methods).flatMap(({ operationId, responses: own = {} }) =>
        Object.values(own)
          .flatMap((response) => Object.entries(response.content ?? {}))
          .flatMap(([type, { schema }]) => (type.endsWith('json') && !('$ref' in schema) ? [operationId] : [])),
      ),
    );
    expect(unnamed).toEqual([]);
  });

  it('describes every event type that an endpoint can receive', ({ app, document }) => {
    expect(Object.keys(document.webhooks)).toEqual(app.service.events.map(({ type }) => type).toSorted());
  });

  it('has an example of every code that an error names', ({ responses }) => {
    for (const { name, status, description, content } of responses) {
      // A page for the user at the browser names none.
      if (!(status < 400) && content?.['text/html'] === undefined) {
        const examples = Object.entries(content?.['application/json']?.examples ?? {});
        const described = description.split('\n\n').map((line) => /^`(\w+)`(?: \(\d{3}\))?: /.exec(line)?.[1]);
        expect(
          examples.map(([code]) => code),
          name,
        ).toEqual(described);
        expect(
          examples.map(([, { value }]) => (typeof value.error === 'string' ? value.error : value.error?.code)),
          name,
        ).toEqual(described);
      }
    }
  });

  it('names the headers of every response', ({ document }) => {
    for (const header of EVERY_RESPONSE) {
      expect(document.info.description).toContain(`\`${header}`);
    }
  });

  it('describes the headers for request identity and limits in the responses that any operation can return', ({
    responses,
  }) => {
    const general = responses.filter(({ name }) => /(default|429)$/.test(name));
    expect(general.length).toBeGreaterThan(200);
    for (const response of general) {
      for (const header of EVERY_RESPONSE.slice(0, 4)) {
        expect(headerOf(response, header)?.required, `${response.name} ${header}`).toBe(true);
      }
    }
  });

  it('names the responses that any operation can return by their status', ({ operations }) => {
    const own = operations.filter(({ tags }) => !tags.includes('OAuth'));
    expect(own.length).toBeGreaterThan(100);
    for (const { operationId, responses: answers } of own) {
      const described = [...(answers.default?.description ?? '').matchAll(/^`\w+` \((\d+)\): /gm)];
      const statuses = described.map(([, status]) => Number(status));
      expect(statuses, operationId).toEqual(expect.arrayContaining([408, 431, 500, 503]));
      expect(statuses.includes(413), operationId).toBe(statuses.includes(415));
    }
  });

  it('states when to retry: always with 429 and 503, and with a key whose first request is still running', ({
    responses,
  }) => {
    for (const response of responses) {
      const isAlways = response.status === 429 || response.status === 503;
      const isSometimes = /`(idempotency_in_progress|service_unavailable)`/.test(response.description);
      const isOnlyCode = !response.description.includes('\n\n');
      const expected = isAlways || isSometimes ? isAlways || isOnlyCode : undefined;
      expect(headerOf(response, 'Retry-After')?.required, response.name).toBe(expected);
    }
  });

  it('describes the challenge of 401 responses and of a missing scope', ({ responses }) => {
    for (const response of responses) {
      const expected = response.status === 401 || response.description.includes('`insufficient_scope`');
      expect(headerOf(response, 'WWW-Authenticate') !== undefined, response.name).toBe(expected);
    }
  });

  it('accepts X-Organization-Id wherever a member’s token is accepted, and Idempotency-Key where it has an effect', ({
    operations,
  }) => {
    for (const { operationId, method, security, parameters } of operations) {
      const headers = parameters.filter((each) => each.in === 'header');
      const needsToken = takesToken(security);
      const expected = [
        ...(needsToken && !takesOperatorToken(security) ? ['X-Organization-Id'] : []),
        ...(needsToken && ['post', 'patch'].includes(method) ? ['Idempotency-Key'] : []),
      ];
      expect(
        headers.map((each) => each.name),
        operationId,
      ).toEqual(expected);
      expect(headers.every((each) => !each.required)).toBe(true);
    }
  });
});

function takesToken(security: readonly object[]): boolean {
  return takesOperatorToken(security) || security.some((scheme) => 'bearer' in scheme);
}

function takesOperatorToken(security: readonly object[]): boolean {
  return security.some((scheme) => 'operator' in scheme);
}

/** The example of a body given by its schema, directly or through its members. */
function exampleOf(schema: ShownSchema): unknown {
  // A schema with only one possible value shows it.
  const [own] = schema.examples ?? (schema.enum?.length === 1 ? schema.enum : []);
  if (own !== undefined || schema.type !== 'object') {
    return schema.type === 'array' && own === undefined && schema.items !== undefined ? [exampleOf(schema.items)] : own;
  }
  const members = Object.entries(schema.properties ?? {}).map(([name, each]) => [name, exampleOf(each)]);
  return members.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(members);
}

const EVERY_RESPONSE = [
  'X-Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit-Policy',
  'RateLimit',
  'Strict-Transport-Security',
  'X-Content-Type-Options',
  'Cache-Control',
];

function headerOf(response: Response, name: string): Header | undefined {
  return response.headers?.[name];
}

const faultOf = (name: string) => (error: { instancePath: string; message: string }) =>
  `${name} ${error.instancePath} ${error.message}`;
