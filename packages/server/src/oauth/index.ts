export { CONNECTED_APPS } from './connected-apps.ts';
export { createOauth } from './create-oauth.ts';
export { OAUTH_ERASURES, OAUTH_TABLES } from './erasure-queries.ts';
export { OAUTH_CIPHERTEXTS } from './oauth-ciphertexts.ts';
