export { keepMasterKey } from './keep-master-key.ts';
export { ensureLocalCertificate, type LocalCertificate } from './local-authority.ts';
export { decryptText, deriveKey, encryptText, MasterKey } from './master-key.ts';
export { PasswordHasher } from './passwords.ts';
export { hashToken, isWellFormedToken, newToken, TOKEN_PREFIXES } from './tokens.ts';
