import type { Config } from '../../config/index.ts';
import type { SessionCookies } from '../../http/index.ts';
import type { TwoFactorTools } from '../two-factor/two-factor-tools.ts';
import type { LoginThrottle } from './login-throttle.ts';

/** The lifetimes of a login's tokens, in seconds. */
export type TokenLifetimes = Pick<Config, 'accessTokenTtlSeconds' | 'refreshTokenTtlSeconds'>;

/** The dependencies of logging in. */
export interface LoginTools extends TwoFactorTools {
  lifetimes: TokenLifetimes;
  throttle: LoginThrottle;
  cookies: SessionCookies;
}
