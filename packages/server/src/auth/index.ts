export type { AuthDeps } from './auth-tools.ts';
export { type Auth, openAuth } from './open-auth.ts';
export { takeAwayTwoFactor } from './two-factor/take-away-two-factor.ts';
