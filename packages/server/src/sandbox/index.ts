export { openSandbox } from './open-sandbox.ts';
