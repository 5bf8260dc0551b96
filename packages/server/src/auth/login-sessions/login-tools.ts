import type { Config } from '../../config/index.ts';
import type { SessionCookies } from '../../http/index.ts';
import type { TwoFactorTools } from '../two-factor/two-factor-tools.ts';
import type { LoginThrottle } from './login-throttle.ts';

/** How long the tokens of a login live, in seconds. */
export type TokenLifetimes = Pick<Config, 'accessTokenTtlSeconds' | 'refreshTokenTtlSeconds'>;

/** What logging in needs besides the request. */
export interface LoginTools extends TwoFactorTools {
  lifetimes: TokenLifetimes;
  throttle: LoginThrottle;
  cookies: SessionCookies;
}
