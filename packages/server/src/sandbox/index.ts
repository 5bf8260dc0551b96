export { openSandbox } from './open-sandbox.ts';
export { SANDBOX_TABLES } from './sandbox-tables.ts';
