export { describeConfig } from '../config/index.ts';
export { ApiError } from '../http/index.ts';
export {
  connectAllInstallations,
  connectInstallation,
  type Installation,
  listEnvironments,
} from './connect-installation.ts';
export { createDemonstration, type Demonstration } from './create-demonstration.ts';
export { examineInstallation } from './examine-installation.ts';
export { examineProduction } from './examine-production.ts';
export type { Finding } from './finding.ts';
export { examineInstallationInvariants } from './invariants/examine-installation-invariants.ts';
export { examineInvariants } from './invariants/examine-invariants.ts';
export { removeRetiredKeys } from './keys/remove-retired-keys.ts';
export { rotateMasterKey } from './keys/rotate-master-key.ts';
export { operatorDisableTwoFactor } from './manage-accounts.ts';
export { operatorApplyCatalogue, operatorParseCatalogue, operatorShowCatalogue } from './manage-catalogue.ts';
export { operatorChangeLicense, operatorIssueLicense, rotateLicenseKey } from './manage-licenses.ts';
export { operatorReconcilePayments, operatorResolvePayment } from './manage-payments.ts';
export { operatorCreateToken, operatorListTokens, operatorRevokeToken } from './manage-tokens.ts';
export { findConfigProblems, migrateInstallation } from './migrate-installation.ts';
