import { removeTwoFactor } from '../auth/index.ts';
import { Mailer } from '../mail/index.ts';
import type { Installation } from './connect-installation.ts';

/** Takes the second factor of the user with this address away; returns whether it was on. Throws not_found. */
export async function operatorDisableTwoFactor(installation: Installation, email: string): Promise<boolean> {
  const { config, database, masterKey } = installation;
  const tools = { mailer: new Mailer(masterKey), baseUrl: config.baseUrl ?? `https://localhost:${config.port}` };
  return removeTwoFactor(database, tools, email);
}
