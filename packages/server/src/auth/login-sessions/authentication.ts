import type { Queries } from '../../database/index.ts';
import type { RequestContext } from '../../http/index.ts';
import type { UserForLogin } from '../../users/index.ts';
import type { Challenge } from '../two-factor/create-challenge.ts';

/** The parts of a request that authentication needs. */
export type LoginContext = Pick<RequestContext, 'database' | 'clientAddress' | 'requestId'>;

/** How a user proved who they are. */
export type LoginMethod = 'password' | 'totp' | 'recovery_code';

/** Runs in the transaction that records a login. It may run again, so it must have no side effects. */
export type OnLogin<T> = (tx: Queries, user: UserForLogin, method: LoginMethod) => Promise<T>;

/** Either logged in, or asked for the second factor. */
export type Authentication<T> = { kind: 'done'; result: T } | ({ kind: 'challenge' } & Challenge);
