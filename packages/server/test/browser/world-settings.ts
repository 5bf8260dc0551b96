import { serverSettings } from '../torture/server-process.ts';

type Settings = Readonly<Record<string, string>>;

let borrow: () => Promise<Settings> = async () => ({});

/** Makes all services started from now on use databases of a PostgreSQL that is already running. */
export function lendDatabases(lend: () => Promise<Settings>): void {
  borrow = lend;
}

/** The settings of a service that browsers visit. It starts its own PostgreSQL unless databases are lent. */
export async function worldSettings(own: Settings): Promise<Record<string, string>> {
  return serverSettings({ ...(await borrow()), ...own });
}
