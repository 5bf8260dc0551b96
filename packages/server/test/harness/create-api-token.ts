import type { Member, TestApp } from './index.ts';

/** Creates an API token for the organization, or for the owner's own, and returns its secret. */
export async function createApiToken(
  app: TestApp,
  { accessToken }: Member,
  scopes: readonly string[],
  organizationId?: string,
): Promise<string> {
  const headers: Record<string, string> = organizationId === undefined ? {} : { 'x-organization-id': organizationId };
  return (await app.api.post('/v1/api-tokens', accessToken, { name: 'ci', scopes }, headers)).body.data.token;
}
