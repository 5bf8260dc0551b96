import { removeTwoFactor } from '../auth/index.ts';
import { addressesOf } from '../config/index.ts';
import { Mailer } from '../mail/index.ts';
import type { Installation } from './connect-installation.ts';

/** Turns off two-factor for the user with this address; returns whether it was on. Throws not_found. */
export async function operatorDisableTwoFactor(
  { config, database, masterKey }: Installation,
  environment: 'production' | 'sandbox',
  email: string,
): Promise<boolean> {
  const { baseUrl } = addressesOf(config, environment);
  return removeTwoFactor(database, { mailer: new Mailer(masterKey), baseUrl }, email);
}
