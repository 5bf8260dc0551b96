export { createSandbox } from './create-sandbox.ts';
export { SANDBOX_TABLES } from './sandbox-tables.ts';
