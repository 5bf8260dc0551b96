import { type Components, nameOf, titleOf } from './components.ts';
import { publishSchema } from './publish-schema.ts';

type Examples = Readonly<Record<string, { value: { error: unknown } }>>;

interface Content {
  schema: object;
  example?: unknown;
  examples?: Examples;
}

interface Response {
  content?: Readonly<Record<string, Content>>;
}

export type Responses = Readonly<Record<string, Response>>;

/** An operation whose schemas are inline. */
export interface WholeOperation {
  parameters: ReadonlyArray<{ schema: object }>;
  requestBody?: { content: Readonly<Record<string, Content>> };
  responses: Responses;
}

/** The operation as published in the document. */
export function publishOperation(operation: WholeOperation, components: Components): unknown {
  const { parameters, requestBody, responses, ...rest } = operation;
  return {
    ...rest,
    parameters: parameters.map((each) => ({ ...each, schema: publishSchema(each.schema, components) })),
    ...(requestBody === undefined ? {} : { requestBody: publishBody(requestBody, components) }),
    responses: publishResponses(responses, components),
  };
}

/** The responses of an operation as published, with references to shared refusals. */
export function publishResponses(responses: Responses, components: Components): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => {
      if (Number(status) < 400) {
        return [status, publishBody(response, components)];
      }
      const publish = () => {
        const name = nameOfRefusal(status, response);
        return { name, published: publishBody(withNamedExamples(response, components), components, `${name}Response`) };
      };
      return [status, components.response(response, publish)];
    }),
  );
}

/** A code has the same example everywhere. OAuth has codes with the same names, but does not share responses. */
function withNamedExamples(response: Response, components: Components): Response {
  const content = response.content?.['application/json'];
  if (content?.examples === undefined || isOauth(content.examples)) {
    return response;
  }
  const examples = Object.entries(content.examples).map(([code, { value }]) => [code, components.example(code, value)]);
  return { ...response, content: { 'application/json': { ...content, examples: Object.fromEntries(examples) } } };
}

/** `title` names a body of JSON. */
function publishBody({ content, ...rest }: Response, components: Components, title?: string): unknown {
  if (content === undefined) {
    return rest;
  }
  const published = Object.entries(content).map(([type, each]) => {
    const schema = type === 'application/json' && title !== undefined ? { ...each.schema, title } : each.schema;
    const examples = publishExamples(schema, each, components);
    return [type, { schema: publishSchema(schema, components), ...examples }];
  });
  return { ...rest, content: Object.fromEntries(published) };
}

/** The example of a named schema is part of the schema. */
function publishExamples(schema: object, { schema: _schema, ...examples }: Content, components: Components): object {
  const name = titleOf(schema);
  if (name === undefined || examples.example === undefined) {
    return examples;
  }
  const { example, ...rest } = examples;
  components.showExample(name, example);
  return rest;
}

/** Codes that occur together, combined into one word. Names become file names, which must not be too long. */
const TOGETHER = Object.entries({
  Unauthenticated: ['invalid_token', 'token_expired'],
  AccessDenied: ['https_required', 'forbidden', 'insufficient_scope', 'two_factor_required'],
  LicenseInactive: ['license_expired', 'license_suspended', 'license_revoked'],
  AcquireNotAllowed: ['user_not_allowed', 'offline_not_allowed'],
  GrantDenied: ['invalid_grant', 'invalid_scope', 'unauthorized_client', 'unsupported_grant_type'],
  DeviceNotAuthorized: ['authorization_pending', 'slow_down', 'access_denied', 'expired_token'],
});

/** Named by its error codes. An OAuth code can have several statuses, and HTML pages have no codes. */
function nameOfRefusal(status: string, { content }: Response): string {
  const examples = content?.['application/json']?.examples;
  if (examples === undefined) {
    return `OauthPage${status}`;
  }
  if (status === 'default') {
    return 'payload_too_large' in examples ? 'GeneralWriteError' : 'GeneralError';
  }
  const name = nameOf(TOGETHER.reduce(withOneWord, Object.keys(examples)));
  return isOauth(examples) ? `Oauth${name}${status}` : name;
}

/** If all the codes are present, the word replaces them at the position of the first. */
function withOneWord(words: readonly string[], [word, codes]: [string, string[]]): readonly string[] {
  if (!codes.every((code) => words.includes(code))) {
    return words;
  }
  const first = words.findIndex((each) => codes.includes(each));
  return words.map((each, place) => (place === first ? word : each)).filter((each) => !codes.includes(each));
}

function isOauth(examples: Examples): boolean {
  return Object.values(examples).some(({ value }) => typeof value.error === 'string');
}
