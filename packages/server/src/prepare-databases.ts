import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseUnavailable, type DatabaseUrls, KeyHolder } from './database/index.ts';
import { type EnvironmentName, prepareDatabase } from './environment.ts';
import type { MasterKey } from './security/index.ts';
import type { Role } from './worker.ts';

/**
 * Prepares the databases of both environments concurrently. If one is down, its environment starts anyway and waits,
 * while the other serves. Throws if none can be served, or if waiting would not help.
 */
export async function prepareDatabases(
  urls: Pick<DatabaseUrls, 'production' | 'sandbox'>,
  masterKey: MasterKey,
  roleIn: (name: EnvironmentName) => Role,
) {
  const wanted: Array<{ name: EnvironmentName; url: string }> = [
    { name: 'production', url: urls.production },
    ...(urls.sandbox === undefined ? [] : [{ name: 'sandbox' as const, url: urls.sandbox }]),
  ];
  const all = wanted.map((each) => {
    const holder = new KeyHolder(masterKey.forDatabase());
    return { ...each, holder, preparing: prepareDatabase(each.url, holder, roleIn(each.name)) };
  });
  const faults: unknown[] = [];
  const settled = all.map(({ preparing }) => preparing.catch((error: unknown) => void faults.push(error)));
  // While neither is ready, wait; a long migration of one must not delay the other.
  await Promise.any(all.map(({ preparing }) => preparing)).catch(() => undefined);
  await Promise.race([Promise.all(settled), sleep(PATIENCE_MS, undefined, { ref: false })]);
  const fault = faults.find((each) => !(each instanceof DatabaseUnavailable));
  if (fault !== undefined || faults.length === all.length) {
    throw fault ?? faults[0];
  }
  return all;
}

/** How long the first environment that is ready waits for the other. */
const PATIENCE_MS = 10_000;
