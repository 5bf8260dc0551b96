import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { describe, expect } from 'vitest';
import {
  createOauthTest,
  credentialsOf,
  obtainCode,
  obtainTokens,
  postForm,
  redeem,
} from '../../test/harness/oauth-world.ts';
import { wholeDocument } from '../../test/harness/whole-document.ts';
import { SCOPES } from '../http/index.ts';
import { describeOauth } from './describe-oauth.ts';

interface Operation {
  tags: readonly string[];
  security: readonly unknown[];
  requestBody?: { content: Readonly<Record<string, unknown>> };
  responses: Readonly<Record<string, { content?: Readonly<Record<string, { schema: TSchema }>> }>>;
}

interface Document {
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  components: { securitySchemes: Readonly<Record<string, unknown>> };
}
const it = createOauthTest()
  .extend('document', { scope: 'file' }, ({ app }): Document => wholeDocument(app.service.describeApi()))
  .extend(
    'operation',
    ({ document }) =>
      (method: string, path: string): Operation | undefined =>
        document.paths[path]?.[method],
  )
  /** How a response violates its description. A response without a description has no schema to match. */
  .extend('faultsOf', ({ operation }) => (method: string, path: string, status: number, body: unknown): string[] => {
    const response = operation(method, path)?.responses[status];
    if (response === undefined) {
      return [`${status} is not described`];
    }
    const schema = response.content?.['application/json']?.schema;
    if (schema === undefined) {
      return body === undefined ? [] : ['a body that is not described'];
    }
    return [...Compile(schema).Errors(body)].map(({ instancePath, message }) => `${instancePath} ${message}`);
  });

describe('the API reference of the authorization server', () => {
  it('names every endpoint, with forms where apps post them', ({ document, operation }) => {
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { tags }]) => (tags.includes('OAuth') ? [`${method} ${path}`] : [])),
    );
    expect(described.sort()).toEqual([
      'get /.well-known/oauth-authorization-server',
      'get /.well-known/oauth-authorization-server/oauth',
      'get /oauth/authorize',
      'post /oauth/device_authorization',
      'post /oauth/introspect',
      'post /oauth/revoke',
      'post /oauth/token',
    ]);
    for (const path of ['token', 'device_authorization', 'revoke', 'introspect']) {
      const content = operation('post', `/oauth/${path}`)?.requestBody?.content ?? {};
      expect(Object.keys(content)).toEqual(['application/x-www-form-urlencoded']);
    }
  });

  it('states how an app gets a token, and which scope each operation needs', ({ document, operation }) => {
    expect(document.components.securitySchemes.oauth2).toMatchObject({
      type: 'oauth2',
      flows: {
        authorizationCode: {
          authorizationUrl: 'https://api.test/oauth/authorize',
          tokenUrl: 'https://api.test/oauth/token',
          scopes: SCOPES,
        },
      },
    });
    expect(operation('get', '/v1/licenses')?.security).toEqual([{ bearer: ['read:licenses'] }]);
    expect(operation('post', '/v1/api-tokens')?.security).toEqual([{ bearer: [] }]);
    expect(operation('post', '/v1/auth/login')?.security).toEqual([]);
  });

  it('describes the responses: tokens, introspection and errors', async ({ app, admin, server, faultsOf }) => {
    const { accessToken, refreshToken } = await obtainTokens(app, server, admin);
    const form = { ...credentialsOf(server), token: accessToken };
    const wrong = { ...form, client_secret: 'wrong' };
    const code = await obtainCode(app, server, admin);
    const answers: Array<[string, number, Awaited<ReturnType<typeof postForm>>]> = [
      ['token', 200, await redeem(app, server, code)],
      ['token', 400, await redeem(app, server, 'svc_oac_unknown')],
      ['token', 400, await postForm(app, 'token', { ...form, grant_type: 'password' })],
      ['token', 400, await postForm(app, 'token', form)],
      [
        'token',
        400,
        await postForm(app, 'token', {
          ...form,
          grant_type: 'refresh_token',
          refresh_token: refreshToken,
          scope: 'admin:org',
        }),
      ],
      ['token', 401, await postForm(app, 'token', { ...wrong, grant_type: 'refresh_token' })],
      ['introspect', 200, await postForm(app, 'introspect', form)],
      ['introspect', 200, await postForm(app, 'introspect', { ...form, token: 'unknown' })],
      ['introspect', 400, await postForm(app, 'introspect', credentialsOf(server))],
      ['revoke', 401, await postForm(app, 'revoke', wrong)],
      ['revoke', 400, await postForm(app, 'revoke', credentialsOf(server))],
    ];
    for (const [path, status, answer] of answers) {
      expect([path, answer.status, faultsOf('post', `/oauth/${path}`, status, answer.body)]).toEqual([
        path,
        status,
        [],
      ]);
    }
    const revoked = await fetch(`${app.api.baseUrl}/oauth/revoke`, {
      method: 'POST',
      body: new URLSearchParams({ ...credentialsOf(server), token: refreshToken }),
    });
    expect([revoked.status, await revoked.text()]).toEqual([200, '']);
  });

  it.for(['', '/oauth'])(
    'describes the metadata at the address that ends with "%s"',
    async (suffix, { app, faultsOf }) => {
      const path = `/.well-known/oauth-authorization-server${suffix}`;
      const response = await fetch(app.api.baseUrl + path);
      expect(faultsOf('get', path, response.status, await response.json())).toEqual([]);
    },
  );

  it('names the server if the issuer has another address than the API', () => {
    const elsewhere = describeOauth('https://login.example/auth/v2', 'https://api.example').paths;
    expect(Object.keys(elsewhere)).toContain('/.well-known/oauth-authorization-server/auth/v2');
    expect(elsewhere['/auth/v2/token']).toMatchObject({ servers: [{ url: 'https://login.example' }] });
    const atRoot = describeOauth('https://login.example', 'https://api.example').paths;
    expect(Object.keys(atRoot)).toEqual([
      '/.well-known/oauth-authorization-server',
      '/authorize',
      '/device_authorization',
      '/token',
      '/revoke',
      '/introspect',
    ]);
  });
});
