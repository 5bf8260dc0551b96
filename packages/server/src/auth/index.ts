export type { AuthDeps } from './auth-tools.ts';
export { type Auth, openAuth } from './open-auth.ts';
