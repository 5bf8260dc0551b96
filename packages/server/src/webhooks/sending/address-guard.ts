import { isIP } from 'node:net';
import type { Network } from '../../networks/index.ts';
import { isAllowedAddress } from './address-rules.ts';
import { AttemptFailure } from './attempt-errors.ts';
import type { Resolve } from './resolve-names.ts';

/** Decides which addresses may be connected to. Only addresses that it returns are ever dialed. */
export interface AddressGuard {
  /** The addresses of a host, if all are allowed; throws dns_error, or forbidden_address if any is not. */
  vet(host: string, budgetMs: number): Promise<readonly string[]>;
  /** Throws forbidden_address for a host that is forbidden without a name server query. */
  vetUnresolved(host: string): void;
}

/** Creates the guard for a resolver and the networks that the operator allows. */
export function createGuard(resolve: Resolve, opened: readonly Network[]): AddressGuard {
  const check = (addresses: readonly string[]) => {
    // One forbidden address refuses all: if it were only left out, a name could probe, answer by answer, what gets
    // through.
    if (!addresses.every((address) => isAllowedAddress(address, opened))) {
      throw new AttemptFailure('forbidden_address');
    }
  };
  return {
    vet: async (host, budgetMs) => {
      const addresses = withoutNameServers(host) ?? (await findAddresses(resolve, host, budgetMs));
      check(addresses);
      return addresses;
    },
    vetUnresolved: (host) => check(withoutNameServers(host) ?? []),
  };
}

/**
 * A literal is its own address, and localhost is always this machine, without a name server query (RFC 6761 section
 * 6.3).
 */
function withoutNameServers(host: string): string[] | undefined {
  if (isIP(host) !== 0) {
    return [host];
  }
  return /(?:^|\.)localhost$/i.test(host) ? ['127.0.0.1', '::1'] : undefined;
}

async function findAddresses(resolve: Resolve, host: string, budgetMs: number): Promise<readonly string[]> {
  const addresses = await resolve(host, budgetMs).catch((error: unknown) => {
    throw new AttemptFailure('dns_error', null, error);
  });
  if (addresses.length === 0) {
    throw new AttemptFailure('dns_error');
  }
  // A name with a thousand addresses would make this service connect to a thousand machines.
  if (addresses.length > MAX_ADDRESSES) {
    throw new AttemptFailure('dns_error');
  }
  return addresses;
}

const MAX_ADDRESSES = 64;
