import type { Queries } from '../../database/index.ts';
import type { RequestContext } from '../../http/index.ts';
import type { UserForLogin } from '../../users/index.ts';
import type { Challenge } from '../two-factor/create-challenge.ts';

/** What authenticating reads of a request. */
export type LoginContext = Pick<RequestContext, 'database' | 'clientAddress' | 'requestId'>;

/** How a user proved who they are. */
export type LoginMethod = 'password' | 'totp' | 'recovery_code';

/** What is done in the transaction in which a login is recorded. It may run again, so it must have no side effects. */
export type OnLogin<T> = (tx: Queries, user: UserForLogin, method: LoginMethod) => Promise<T>;

/** Either logged in, or asked for the second factor. */
export type Authentication<T> = { kind: 'done'; result: T } | ({ kind: 'challenge' } & Challenge);
