import type { OperatorLicense, Seathold } from '@seathold/client';
import { CommandFailure } from '../command-failure.ts';

/** The license with this ID or license key. Throws not_found. */
export async function requireLicense(client: Seathold, name: string): Promise<OperatorLicense> {
  if (name.startsWith('lic_')) {
    return client.operator.getLicense(name);
  }
  const [found] = (await client.operator.listLicenses({ key: name, limit: 1 })).data;
  if (found === undefined) {
    throw new CommandFailure('not_found', `There is no license with the key ${name}.`);
  }
  return found;
}
