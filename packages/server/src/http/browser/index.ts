export { bearerToken } from './bearer-token.ts';
export { type Credential, readCredential } from './read-credential.ts';
export { type CookiePrefix, SessionCookies, tokensInCookie } from './session-cookies.ts';
