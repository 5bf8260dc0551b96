import { join } from 'node:path';
import type { FreshService } from '../smoke/fresh-service.ts';

/** The variables that name the service, with a license of two seats for accounts and one for activation by key. */
export async function prepareLicense(service: FreshService, folder: string): Promise<Record<string, string>> {
  const url = service.sandboxUrl;
  const words = ['operator', 'token', 'create', '--name', 'sdks', '--role', 'owner', '--sandbox', '--json'];
  const { token } = JSON.parse(await service.print(words));
  const query = new URLSearchParams({ query: 'demo@example.com' });
  const { data: organizations } = await service.call('GET', `${url}/v1/operator/organizations?${query}`, { token });
  const issue = async (policy: object): Promise<string> => {
    const license = { organization_id: organizations[0].id, product: 'seathold-demo', max_seats: 2, features: {} };
    const body = { ...license, expires_at: null, policy };
    return (await service.call('POST', `${url}/v1/operator/licenses`, { token, body })).data.key;
  };
  return {
    SEATHOLD_URL: url,
    SEATHOLD_CA_FILE: join(folder, 'data', 'tls', 'ca.pem'),
    SEATHOLD_TOKEN: service.demonstration.token,
    SEATHOLD_LICENSE_KEY: await issue({ max_offline_seconds: 3600 }),
    SEATHOLD_ACTIVATION_KEY: await issue({ activation: 'key' }),
  };
}
