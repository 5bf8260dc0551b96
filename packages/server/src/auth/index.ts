export { AUTH_TABLES } from './account-deletion/queries.ts';
export { AUTH_CIPHERTEXTS } from './auth-ciphertexts.ts';
export type { AuthDeps } from './auth-tools.ts';
export { type Auth, openAuth } from './open-auth.ts';
export { createOperatorToken } from './operator-tokens/create-operator-token.ts';
export { listOperatorTokens, revokeOperatorToken } from './operator-tokens/keep-operator-tokens.ts';
export { takeAwayTwoFactor } from './two-factor/take-away-two-factor.ts';
