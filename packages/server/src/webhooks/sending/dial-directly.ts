import { isIP, type LookupFunction } from 'node:net';
import type { SecureContext } from 'node:tls';
import type { AddressGuard } from './address-guard.ts';
import { isSameAddress } from './address-rules.ts';
import { AttemptFailure } from './attempt-errors.ts';
import { untilEnded } from './early-end.ts';
import { type Dial, shakeHands } from './handshake.ts';
import { bareHost } from './url-rules.ts';

/**
 * Dials the vetted addresses of the host and no others: the name is resolved once, and the socket gets the checked
 * addresses. The name itself is only used for SNI and the certificate check.
 */
export function dialDirectly(guard: AddressGuard, secureContext: SecureContext, resolveBudgetMs: number): Dial {
  return async (url, ending) => {
    const host = bareHost(url);
    const vetted = await untilEnded(ending, guard.vet(host, resolveBudgetMs));
    const dialled = vetted.slice(0, MAX_DIALLED);
    const shake = (addresses: readonly string[]) =>
      shakeHands(
        {
          host,
          port: Number(url.port || 443),
          secureContext,
          ...(isIP(host) === 0 ? { servername: host } : {}),
          lookup: answerWith(addresses),
          autoSelectFamily: true,
          // Node's 250 ms are less than an intercontinental round trip, and the next address is a second connection.
          autoSelectFamilyAttemptTimeout: ATTEMPT_MS,
        },
        ending,
        addresses.length === 1 ? (addresses[0] ?? null) : null,
      );
    const socket = await shake(dialled).catch((failure: unknown) => {
      const given = findGivenUp(failure, dialled);
      if (given === undefined) {
        throw failure;
      }
      return shake([given]);
    });
    const address = socket.remoteAddress;
    if (address === undefined || !dialled.some((each) => isSameAddress(each, address))) {
      socket.destroy();
      throw new AttemptFailure(address === undefined ? 'connection_reset' : 'forbidden_address');
    }
    return { socket, address };
  };
}

/** All addresses are vetted, but only this many are tried: more do not fit into the connect timeout. */
const MAX_DIALLED = 4;

/** How long an address may take before the next one is tried. The last one has the rest of the attempt. */
export const ATTEMPT_MS = 1_200;

/**
 * The first address that was abandoned for the next one, which failed. It may have responded since then, if it is far
 * away or this process was busy.
 */
function findGivenUp(failure: unknown, dialled: readonly string[]): string | undefined {
  const cause = failure instanceof AttemptFailure ? failure.cause : undefined;
  const errors: unknown[] = cause instanceof AggregateError ? cause.errors : [];
  const late = errors.filter((error) => error instanceof Error && 'code' in error && error.code === 'ETIMEDOUT');
  return dialled.find((address) =>
    late.some((error) => error instanceof Object && 'address' in error && error.address === address),
  );
}

/** The socket's look-up function, which returns the vetted addresses without another query. */
function answerWith(addresses: readonly string[]): LookupFunction {
  const answer = addresses.map((address) => ({ address, family: isIP(address) }));
  return (hostname, options, callback) => {
    const [first] = answer;
    if (options.all === true || first === undefined) {
      callback(first === undefined ? new Error(`no address of ${hostname} was vetted`) : null, answer);
    } else {
      callback(null, first.address, first.family);
    }
  };
}
