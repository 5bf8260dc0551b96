export { describeConfig } from '../config/index.ts';
export { ApiError } from '../http/index.ts';
export { createDemonstration, type Demonstration } from './create-demonstration.ts';
export { examineInstallation, type Finding } from './examine-installation.ts';
export { operatorChangeLicense, operatorIssueLicense, rotateLicenseKey } from './manage-licenses.ts';
export { findConfigProblems, migrateInstallation } from './migrate-installation.ts';
export { type Installation, openInstallation } from './open-installation.ts';
