// The part of this room used by the service. Each command has its own file, which the command line loads by path,
// connect-installation.ts first, because loading the whole server takes twice as long.
export { createOperator } from './create-operator.ts';
