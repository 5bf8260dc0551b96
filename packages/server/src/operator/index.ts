export { describeConfig } from '../config/index.ts';
export { ApiError } from '../http/index.ts';
export { createDemonstration, type Demonstration } from './create-demonstration.ts';
export { examineInstallation } from './examine-installation.ts';
export type { Finding } from './finding.ts';
export { operatorDisableTwoFactor } from './manage-accounts.ts';
export { operatorChangeLicense, operatorIssueLicense, rotateLicenseKey } from './manage-licenses.ts';
export { findConfigProblems, migrateInstallation } from './migrate-installation.ts';
export { type Installation, openInstallation } from './open-installation.ts';
