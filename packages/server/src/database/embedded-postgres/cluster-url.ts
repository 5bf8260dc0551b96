import type { Address } from './choose-address.ts';
import { CLUSTER_USER } from './prepare-cluster.ts';

/** The URL of a cluster. A socket folder cannot be in the host part; all drivers read it from the query. */
export function clusterUrl(password: string, { host, port }: Address, database: string): string {
  const query = host.startsWith('/') ? `?host=${encodeURIComponent(host)}` : '';
  const name = host.startsWith('/') ? 'localhost' : host;
  return `postgres://${CLUSTER_USER}:${password}@${name}:${port}/${encodeURIComponent(database)}${query}`;
}
