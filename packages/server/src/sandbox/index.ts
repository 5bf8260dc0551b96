export { openSandbox, type Sandbox, type SandboxDeps } from './open-sandbox.ts';
