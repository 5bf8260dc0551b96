export { decryptText, deriveKey, encryptText } from './ciphertext.ts';
export {
  createMasterKeyFile,
  keepMasterKey,
  newMasterKey,
  readMasterKeyFile,
  readMasterKeys,
  writeMasterKeyFile,
} from './keep-master-key.ts';
export { ensureLocalCertificate, type LocalCertificate } from './local-authority.ts';
export { CIPHERTEXT_HEADER_BYTES, type DerivedKeys, findKeyId, keyIdOf, MasterKey } from './master-key.ts';
export { PasswordHasher } from './passwords.ts';
export { hashToken, isWellFormedToken, newToken, TOKEN_PREFIXES } from './tokens.ts';
