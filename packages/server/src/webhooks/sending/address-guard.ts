import { isIP } from 'node:net';
import type { Network } from '../../networks/index.ts';
import { isAllowedAddress } from './address-rules.ts';
import { AttemptFailure } from './attempt-errors.ts';
import type { Resolve } from './resolve-names.ts';

/** Decides where connections may go. The addresses that it hands out are the only ones that are ever dialled. */
export interface AddressGuard {
  /** The addresses of a host, all of them allowed; throws dns_error, or forbidden_address if a single one is not. */
  vet(host: string, budgetMs: number): Promise<readonly string[]>;
  /** Throws forbidden_address for a host that needs no name server to be known as such. */
  vetUnresolved(host: string): void;
}

/** Opens the guard over a resolver and the networks that the operator opened. */
export function createGuard(resolve: Resolve, opened: readonly Network[]): AddressGuard {
  const check = (addresses: readonly string[]) => {
    // One bad address refuses all: leaving it out would let a name try, answer by answer, what gets through.
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
 * A literal is its own address, and localhost is always this machine, without asking a name server (RFC 6761 section
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
  // A name with a thousand addresses would make this service knock at a thousand machines.
  if (addresses.length > MAX_ADDRESSES) {
    throw new AttemptFailure('dns_error');
  }
  return addresses;
}

const MAX_ADDRESSES = 64;
