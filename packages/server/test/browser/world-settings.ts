import { serverSettings } from '../torture/server-process.ts';

type Settings = Readonly<Record<string, string>>;

let borrow: () => Promise<Settings> = async () => ({});

/** Lets the services that are started from here on use databases of a PostgreSQL that runs already. */
export function lendDatabases(lend: () => Promise<Settings>): void {
  borrow = lend;
}

/** The settings of a service that browsers visit. It starts a PostgreSQL of its own unless databases are lent. */
export async function worldSettings(own: Settings): Promise<Record<string, string>> {
  return serverSettings({ ...(await borrow()), ...own });
}
