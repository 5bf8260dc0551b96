import { Type } from 'typebox';
import { ACCESS, defineRoute, type Route } from '../../http/index.ts';
import type { LicensingTools } from '../licensing-tools.ts';

/** The list of revoked license tokens, for programs that are mostly offline. */
export function revocationRoutes(tools: LicensingTools): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/.well-known/license-revocations.jwt',
      operationId: 'getLicenseRevocations',
      tag: 'Licenses',
      summary: 'Get the revoked license tokens',
      description:
        'Returns a JWT, signed like license tokens, whose claim `revoked` lists the `jti` and `lic` of tokens that have not expired but are no longer valid because an admin released the session, or because the license or its organization was suspended or revoked. Sessions that timed out or that their own program released are not listed.',
      access: ACCESS.public,
      isForAnyOrigin: true,
      status: 200,
      alsoStatus: 304,
      response: Type.String({ title: 'LicenseRevocations', description: 'A JWT with the type revocations+jwt.' }),
      raw: 'application/jwt',
      errors: {},
      example: { data: 'eyJhbGciOiJSUzI1NiIsInR5cCI6InJldm9jYXRpb25zK2p3dCJ9.eyJyZXZva2VkIjpbXX0.c2lnbmF0dXJl' },
      handle: async () => ({
        data: await tools.revocations.get(tools),
        headers: { 'cache-control': 'public, max-age=60' },
      }),
    }),
  ];
}
